/// The commit or tree that a run tested.
public struct Revision: Sendable, Hashable, Codable {
    /// The commit, full hexadecimal; `nil` for a staged tree or an unborn branch.
    public var commit: String?
    /// The tree, full hexadecimal; `nil` unless exactly its files were tested.
    public var tree: String?
    /// The package's folder below the top of the tree, empty for the top itself; `nil` if unknown. A tree may hold several
    /// packages, and a run answers for one of them: a run of an unknown folder for none.
    public var folder: String?
    /// The branch, without `refs/heads/`; `nil` when detached.
    public var branch: String?
    /// The first line of the commit's message; untrusted text.
    public var subject: String?
    /// The name of the commit's author; untrusted text.
    public var author: String?
    /// Whether the tested files differ from the commit according to `git status`, which can be wrong: see `isExact`.
    public var isDirty: Bool
    /// Why the tree was judged before its branch had it; `nil` for a commit that the branch had already.
    public var attempt: Attempt?
    /// The commit and the latest before it, each with its parents, as far as git here knows them; `nil` if nobody asked.
    public var history: [CommitParents]?
    /// The commit that was later made of the staged files, full hexadecimal, as far as the store knows it; it is in no file of the run.
    /// It is only shown, and decides nothing.
    public var madeCommit: String?

    private enum CodingKeys: String, CodingKey {
        case commit, tree, folder, branch, subject, author, isDirty, attempt, history
    }

    package init(
        commit: String?, tree: String?, folder: String? = nil, branch: String?, subject: String? = nil,
        author: String? = nil, isDirty: Bool, attempt: Attempt? = nil, history: [CommitParents]? = nil
    ) {
        self.author = author.map(Self.shortened)
        self.commit = commit
        self.tree = tree
        self.folder = folder
        self.branch = branch
        self.subject = subject.map(Self.shortened)
        self.isDirty = isDirty
        self.attempt = attempt
        self.history = history
    }

    /// The longest author and the longest subject, in bytes: lists show those of many runs.
    public static let longestWords = 1024

    /// The beginning of a text that git may have at any length.
    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > longestWords else { return text }
        let end = "…"
        var (short, count) = (String.UnicodeScalarView(), end.utf8.count)
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= longestWords else { break }
            short.append(scalar)
        }
        return String(short) + end
    }

    /// Whether exactly the tree of a commit or of the staged files was tested. Only such a run answers for the tree,
    /// its commit and branch; any other is of a working copy.
    public var isExact: Bool { tree != nil && !isDirty }

    /// The commit, or the one that was later made of the staged files.
    public var shownCommit: String? { commit ?? madeCommit }
}

/// Why a tree is judged before a branch has it.
public enum Attempt: String, Sendable, Hashable, Codable, CaseIterable {
    /// The staged files, before they are committed.
    case staged
    /// A commit, before the push is let in. It gets onto its branch only if it passes.
    case push
    /// A commit that is compared with a base that somebody named, and not with the base of its branch.
    case otherBase = "other-base"
    /// A commit of which somebody says that it is of a branch which, as far as the clone knows, does not have it.
    case otherBranch = "other-branch"
    /// A commit that is built with traits, sanitizers or flags that somebody named, and not by its settings.
    case otherBuild = "other-build"

    /// What it is, in a word or two.
    public var words: String {
        switch self {
        case .staged: "staged"
        case .push: "push not let in"
        case .otherBase: "against a named base"
        case .otherBranch: "not of the named branch"
        case .otherBuild: "built in a named way"
        }
    }
}

/// A commit and its parents, full hexadecimal, as a commit object has them.
public struct CommitParents: Sendable, Hashable, Codable {
    /// The commit.
    public var commit: String
    /// Its parents, the first one first.
    public var parents: [String]

    /// How many commits of a history are recorded; several runs together give a longer one.
    public static let most = 64
    /// How many parents of a commit are recorded.
    public static let mostParents = 64

    /// Whether a text is the full name of an object: 40 or 64 lower-case hexadecimal digits.
    public static func isName(_ text: String) -> Bool {
        [40, 64].contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    package init(commit: String, parents: [String]) { (self.commit, self.parents) = (commit, parents) }
}
