import Subprocess
import Synchronization

/// Reads objects through one git process, because starting a process takes longer than reading.
///
/// What it cannot read is read by a separate process, which reports the reason.
final class ObjectReader: Sendable {
    /// The answer to a query.
    enum Answer: Sendable, Hashable {
        case object(GitObject)
        /// There is no such object.
        case none
        /// A link on the way leads out of the tree, to nothing, or in a circle.
        case strayLink
        /// It cannot be read here, or git has ended.
        case unknown
    }

    private struct Question: Sendable {
        let name: [UInt8]
        let asker: CheckedContinuation<Answer, Never>
    }

    private let git: Git
    private let options: [GitArgument]
    private let questions = Mutex<AsyncStream<Question>.Continuation?>(nil)

    /// Starts no process; the first query does.
    ///
    /// - Parameter options: The options that name the repository.
    init(_ git: Git, options: [GitArgument]) { (self.git, self.options) = (git, options) }

    deinit { rest() }

    /// Ends the process. The next query starts a new one.
    func rest() {
        questions.withLock { questions in
            questions?.finish()
            questions = nil
        }
    }

    /// The object that a name stands for, such as `HEAD^{commit}` or `<object>:<path>`; links within the tree are followed.
    ///
    /// git exits for some names, such as a reflog entry that does not exist. Then this and all further answers are
    /// `unknown`, until `rest()`.
    func answer(to name: String) async -> Answer {
        // A query is one line, and git strips a carriage return at its end.
        guard !name.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == 0 }) else {
            return .unknown
        }
        return await withCheckedContinuation { asker in
            questions.withLock { questions in
                if questions == nil { questions = start() }
                questions?.yield(Question(name: Array(name.utf8), asker: asker))
            }
        }
    }

    private func start() -> AsyncStream<Question>.Continuation {
        let (questions, continuation) = AsyncStream.makeStream(of: Question.self)
        // Does not retain this reader, because its deinit ends the process.
        Task { [git, options] in await Self.answer(questions, git, options) }
        return continuation
    }

    private static func answer(_ questions: AsyncStream<Question>, _ git: Git, _ options: [GitArgument]) async {
        var questions = questions.makeAsyncIterator()
        do throws(GitError) {
            try await git.converse(
                "cat-file", ["--batch", "--follow-symlinks"], options: options, scope: .objects
            ) { input, answers in
                while let question = await questions.next() {
                    do {
                        _ = try await input.write(question.name + [UInt8(ascii: "\n")])
                        question.asker.resume(returning: try await answers.object(question.name))
                    } catch {
                        question.asker.resume(returning: .unknown)
                        throw error
                    }
                }
            }
        } catch {
            // The caller asks again with a separate process, which reports the error.
        }
        while let question = await questions.next() { question.asker.resume(returning: .unknown) }
    }
}

extension GitAnswers {
    /// The largest object that is read, in bytes: 64 MiB. It is in memory twice for a moment.
    private static let limit = 64 << 20

    /// `<object> <kind> <size>`, and the content on lines of its own; or `<name> missing`, or the result for a link.
    fileprivate mutating func object(_ name: [UInt8]) async throws -> ObjectReader.Answer {
        let head = try await line()
        if head.elementsEqual(name + Array(" missing".utf8)) { return .none }
        if head.elementsEqual(name + Array(" ambiguous".utf8)) { return .unknown }
        let fields = head.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if fields.count == 2, let answer = try await link(fields[0], rest: fields[1]) { return answer }
        guard fields.count == 3, let id = ObjectID(fields[0]), let kind = GitObject.Kind(rawValue: fields[1]),
            let size = Int(fields[2]), size >= 0
        else {
            throw GitError.unexpectedOutput(command: "cat-file", detail: "an object without its kind and size")
        }
        guard size <= Self.limit else { throw GitError.tooMuchOutput(command: "cat-file", limit: Self.limit) }
        let bytes = try await take(size + 1)
        return .object(GitObject(id: id, kind: kind, bytes: Array(bytes.dropLast())))
    }

    /// `<what> <size>`, and as many bytes on a line of their own; `nil` for anything else.
    private mutating func link(_ what: String, rest: String) async throws -> ObjectReader.Answer? {
        // Newer versions of git answer this for a submodule whose commit is in another repository.
        if rest == "submodule" { return ObjectReader.Answer.none }
        guard ["symlink", "dangling", "loop", "notdir"].contains(what), let size = Int(rest),
            (0..<Self.limit).contains(size)
        else { return nil }
        _ = try await take(size + 1)
        return what == "notdir" ? ObjectReader.Answer.none : .strayLink
    }
}
