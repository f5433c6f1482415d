import Gate
import Repository
import RunModel
import Storage
import TestRunning

/// Finds out that nothing a package is built from has changed since a commit for which it passed.
///
/// Only where several packages of a repository are judged together: what changed lies in the folders of the others, and this one does not
/// depend on any package outside of its folder. Whether its tests read files there cannot be known, so nothing is stored for the commit.
package struct UnchangedPackage: Sendable {
    let judge: TreeJudge
    /// The folders of the other packages that are judged with it, below the top of the repository.
    let others: [String]

    package init(judge: TreeJudge, others: [String]) { (self.judge, self.others) = (judge, others) }

    /// How many earlier commits are looked at.
    private static let most = 20

    /// A commit for which the package passed, and its run.
    package struct Passed: Sendable {
        package let commit: String
        /// The run that answers for it.
        package let known: KnownRun

        /// Words for whoever waits for a verdict.
        package var words: String {
            "nothing that it is built from has changed since \(commit.prefix(12)), for which it passed "
                + "(run \(known.summary.id.short)): not judged again"
        }
    }

    /// The nearest commit before, along first parents, for which the package passed and from which a tree differs in other packages
    /// alone; `nil` where there is none, or that is not certain.
    package func passed(before subject: TreeJudge.Subject) async throws -> Passed? {
        let (repository, tree) = (judge.repository, subject.tree)
        // What is staged comes after the commit that is checked out.
        let start = subject.revision.commit ?? "HEAD"
        // A part of the tests, or a base that somebody names, is asked of this tree and of no other.
        guard !others.isEmpty, !subject.tests.selection.isPartial, subject.base == nil,
            try await repository.commit(at: start) != nil
        else { return nil }
        // What a server says of another commit has no packages to compare.
        var local = judge
        local.server = nil
        // What its own tests say of the tree counts, most of all if they failed.
        guard try await local.known(subject) == nil else { return nil }
        for entry in try await repository.commits(in: start, limit: Self.most, isFirstParent: true) {
            // The tree itself is not known.
            if entry.commit.hexadecimal == start { continue }
            let paths = try await repository.changedPaths(from: entry.commit, to: tree)
            var folders: Set<String> = []
            for path in paths {
                guard let folder = path.text.flatMap(folder) else { return nil }
                folders.insert(folder)
            }
            guard !folders.isEmpty, let revision = try await repository.revision(of: entry.commit.hexadecimal)?.revision
            else { return nil }
            // As anybody who asks for it now: with this toolchain and environment, by its base, on this day.
            let earlier = TreeJudge.Subject(
                tree: entry.tree, revision: revision, head: .commit(entry.commit, tree: entry.tree))
            guard case .known(let known) = try await local.known(earlier) else { continue }
            // What was let through because of its base has not passed for others.
            guard known.verdict.decision == .passed, known.verdict.allowedFailures.isEmpty,
                let facts = try RunStore.reading(judge.checkpoint.home.database).facts(of: known.summary.id),
                !folders.contains(where: isAroundOrInside), (facts.localPackages ?? []).allSatisfy(Self.isInside)
            else { return nil }
            // Nobody waits for a server before there is something to be said without it.
            if judge.server != nil, try await judge.known(subject) != nil { return nil }
            return Passed(commit: entry.commit.hexadecimal, known: known)
        }
        return nil
    }

    /// The other package in whose folder a path lies.
    private func folder(of path: String) -> String? { others.first { Self.lies(path, in: $0) } }

    /// Whether the package lies in a folder, or the folder in that of the package, which may be built from anything there.
    private func isAroundOrInside(_ folder: String) -> Bool {
        let own = judge.subpath.folder
        return Name(own) == Name(folder) || Self.lies(own, in: folder) || Self.lies(folder, in: own)
    }

    /// Whether a package that it depends on lies in its own folder, as all do that this one depends on in turn. What one outside depends on
    /// is not recorded, and neither is it of one that SwiftPM did not describe.
    static func isInside(_ package: LocalPackage) -> Bool {
        package.modules != nil && !package.path.hasPrefix("/") && !package.path.split(separator: "/").contains("..")
    }

    private static func lies(_ path: String, in folder: String) -> Bool {
        folder.isEmpty || path.utf8.starts(with: "\(folder)/".utf8)
    }
}
