/// An error of git.
public enum GitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no `git` on the search path.
    case gitNotFound
    /// git could not be started, or its output could not be read.
    case notStarted(command: String, reason: String)
    /// The repository belongs to another user, and git refuses it.
    case dubiousOwnership(directory: String, message: String)
    /// git ended with a status that is not a success; the message is git's own.
    case failed(command: String, status: Int32, message: String)
    /// The names of several commits begin with `name`; `commits` are their full names.
    case ambiguous(name: String, commits: [String])
    /// git was ended by a signal.
    case signaled(command: String, signal: Int32)
    /// git printed more than the limit.
    case tooMuchOutput(command: String, limit: Int)
    /// git printed something that this build does not understand.
    case unexpectedOutput(command: String, detail: String)
    /// A folder whose name is not valid UTF-8; neither Swift nor SwiftPM can work in it.
    case folderNotUTF8(shown: String)

    /// A fragment for "failed to …".
    public var description: String {
        switch self {
        case .gitNotFound:
            "find git on PATH"
        case .notStarted(let command, let reason):
            "run git \(command): \(reason)"
        case .dubiousOwnership(let directory, let message):
            "use the repository at \(directory): \(message)"
        case .failed(let command, let status, let message):
            "run git \(command) (exit status \(status)): \(message)"
        case .ambiguous(let name, let commits):
            "find the commit '\(GitName(name))': several begin so: "
                + commits.map { String($0.prefix(16)) }.joined(separator: ", ")
        case .signaled(let command, let signal):
            "run git \(command): signal \(signal) ended it"
        case .tooMuchOutput(let command, let limit):
            "read the output of git \(command): it is longer than \(limit) bytes"
        case .unexpectedOutput(let command, let detail):
            "understand the output of git \(command): \(detail)"
        case .folderNotUTF8(let shown):
            "work in \(shown): the name of the folder is not valid UTF-8"
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .gitNotFound: "install git 2.31 or newer"
        case .dubiousOwnership(let directory, _):
            "git config --global --add safe.directory '\(directory)', if you trust whoever owns it"
        case .folderNotUTF8: "rename the folder"
        case .ambiguous: "name one by a longer part of it"
        case .notStarted, .failed, .signaled, .tooMuchOutput, .unexpectedOutput: nil
        }
    }
}

/// The result of a concurrent call; an `async let` loses the type of its errors.
func attempt<Value: Sendable>(
    _ body: @Sendable () async throws(GitError) -> Value
) async -> Result<Value, GitError> {
    do throws(GitError) {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
