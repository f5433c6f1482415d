public import RunModel

/// The commits of a push that are judged, each once.
public struct PushedTrees: Sendable, Hashable {
    /// A commit that is pushed, by one or several refs.
    public struct Commit: Sendable, Hashable {
        /// The commit.
        public var commit: ObjectID
        /// Its tree.
        public var tree: ObjectID
        /// The refs that bring it, in the order given; never empty.
        public var refs: [PushedRef]
        /// The `Revision` for the run.
        public var revision: Revision
    }

    /// A ref with nothing to judge.
    public struct Skipped: Sendable, Hashable, CustomStringConvertible {
        /// Why there is nothing to judge.
        public enum Reason: Sendable, Hashable {
            /// The ref is deleted.
            case deletion
            /// It points to something other than a commit, such as a tag of a tree or a file.
            case notACommit(type: String)
        }

        /// The ref.
        public var ref: PushedRef
        /// Why.
        public var reason: Reason

        /// The ref and why it is skipped, for people.
        public var description: String {
            switch reason {
            case .deletion: "\(ref.remoteName) is deleted: nothing to judge"
            case .notACommit(let type): "\(ref.remoteName) is a \(type), not a commit: nothing to judge"
            }
        }
    }

    /// The commits to judge, in the order of the refs.
    public var commits: [Commit]
    /// The refs with nothing to judge, and why.
    public var skipped: [Skipped]
}

extension GitRepository {
    /// The commits and trees behind the refs of a push; tags are followed to their commits.
    ///
    /// - Throws: If an object is missing, because unknown commits must not pass.
    public func pushedTrees(_ refs: [PushedRef]) async throws(GitError) -> PushedTrees {
        var trees = PushedTrees(
            commits: [], skipped: refs.filter(\.isDeletion).map { .init(ref: $0, reason: .deletion) })
        let pushed = refs.filter { !$0.isDeletion }
        guard !pushed.isEmpty else { return trees }

        let questions = pushed.map { "\($0.localObject)^{}\n" }.joined()
        let answer = try await run("cat-file", ["--batch-check"], scope: .objects, input: Array(questions.utf8))
        let lines = try answer.checked("cat-file").bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.count == pushed.count else {
            throw .unexpectedOutput(command: "cat-file", detail: "\(lines.count) answers to \(pushed.count) questions")
        }
        for (ref, line) in zip(pushed, lines) {
            // `<object> <type> <size>`, or `<question> missing`.
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count == 3, let object = ObjectID(bytes: fields[0]) else {
                throw .unexpectedOutput(command: "cat-file", detail: "object \(ref.localObject) is missing")
            }
            let type = String(decoding: fields[1], as: UTF8.self)
            if type != "commit" {
                trees.skipped.append(.init(ref: ref, reason: .notACommit(type: type)))
            } else if let known = trees.commits.firstIndex(where: { $0.commit == object }) {
                trees.commits[known].refs.append(ref)
            } else {
                let (_, tree, subject, author) = try await commit(object)
                let revision = Revision(
                    commit: object.hexadecimal,
                    tree: tree.hexadecimal,
                    branch: ref.branch,
                    subject: subject,
                    author: author,
                    isDirty: false,
                    attempt: .push
                )
                trees.commits.append(.init(commit: object, tree: tree, refs: [ref], revision: revision))
            }
        }
        return trees
    }
}
