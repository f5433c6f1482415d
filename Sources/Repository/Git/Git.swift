import Subprocess
import Synchronization

/// One argument of a git command line; bytes, because names are.
struct GitArgument: ExpressibleByStringInterpolation, Sendable {
    let bytes: [UInt8]

    init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    init(stringLiteral text: String) {
        self.init(text)
    }
}

/// What a git command printed and how it ended.
struct GitOutput: Sendable {
    let status: Int32
    let bytes: [UInt8]
    let message: String

    /// The output without the line feed at its end: a single path or name may hold others.
    var line: [UInt8] { bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes }
    var text: String { String(decoding: line, as: UTF8.self) }
}

/// Starts git with an argument list, a hardened configuration and a given environment, which is never inherited.
struct Git: Sendable {
    /// Settings of a repository can name programs to run or change what a command reports; these are switched off.
    private static let hardening: [GitArgument] = [
        "-c", "core.fsmonitor=false", "-c", "core.pager=cat", "-c", "log.showSignature=false",
    ]
    private static let withoutHooks: [GitArgument] = ["-c", "core.hooksPath=/dev/null"]
    private static let messageLimit = 1 << 20

    /// The git of each PATH. Starting it by name would try every folder of PATH with a new process.
    private static let found = Mutex<[String: Executable]>([:])

    let environment: GitEnvironment

    /// Runs a command and returns any exit status.
    ///
    /// - Parameters:
    ///   - command: The command's name, for messages.
    ///   - options: Options before the command, which name the repository.
    func run(
        _ command: String,
        _ arguments: [GitArgument] = [],
        options: [GitArgument] = [],
        scope: GitEnvironment.Scope = .anywhere,
        adding variables: [String: String] = [:],
        input: [UInt8] = [],
        keepsHooksPath: Bool = false,
        limit: Int = 256 << 20
    ) async throws(GitError) -> GitOutput {
        do {
            let start = try await configuration(
                command, arguments, options: options, scope: scope, adding: variables, keepsHooksPath: keepsHooksPath)
            // An empty input needs no pipe and no writer.
            return input.isEmpty
                ? try await Self.output(of: start, command, input: .none, limit: limit)
                : try await Self.output(of: start, command, input: .array(input), limit: limit)
        } catch {
            throw Self.explained(error, command)
        }
    }

    /// Runs a command interactively: `body` writes queries and reads answers; the command's input ends when `body`
    /// returns.
    func converse(
        _ command: String,
        _ arguments: [GitArgument],
        options: [GitArgument],
        scope: GitEnvironment.Scope,
        _ body: (StandardInputWriter, inout GitAnswers) async throws -> Void
    ) async throws(GitError) {
        do {
            let start = try await configuration(command, arguments, options: options, scope: scope)
            // All answers are complete by then, so the exit status does not matter.
            _ = try await Subprocess.run(
                start, input: .inputWriter, output: .sequence, error: .bytes(limit: Self.messageLimit)
            ) { execution in
                var answers = GitAnswers(execution.standardOutput.makeAsyncIterator(), command: command)
                try await body(execution.standardInputWriter, &answers)
            }
        } catch {
            throw Self.explained(error, command)
        }
    }

    private static func output<Input: InputProtocol>(
        of start: Configuration, _ command: String, input: Input, limit: Int
    ) async throws -> GitOutput {
        let result = try await Subprocess.run(
            start, input: input, output: .sequence, error: .bytes(limit: messageLimit)
        ) { execution in
            // Grows with the output. Collecting `.bytes(limit:)` would reserve the whole limit first; with dozens of
            // concurrent commands that is more address space than the machine has memory, and forks would fail.
            var bytes: [UInt8] = []
            for try await chunk in execution.standardOutput {
                guard bytes.count + chunk.count <= limit else {
                    throw GitError.tooMuchOutput(command: command, limit: limit)
                }
                chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
            }
            return bytes
        }
        switch result.terminationStatus {
        case .exited(let status):
            return GitOutput(status: status, bytes: result.closureResult, message: shown(result.standardError))
        case .signaled(let signal):
            throw GitError.signaled(command: command, signal: signal)
        }
    }

    private func configuration(
        _ command: String,
        _ arguments: [GitArgument],
        options: [GitArgument],
        scope: GitEnvironment.Scope,
        adding variables: [String: String] = [:],
        keepsHooksPath: Bool = false
    ) async throws -> Configuration {
        let line =
            options + Self.hardening + (keepsHooksPath ? [] : Self.withoutHooks) + [GitArgument(command)] + arguments
        var values: [Environment.Key: String] = [:]
        for (name, value) in environment.variables(for: scope, adding: variables) {
            if let key = Environment.Key(rawValue: name) { values[key] = value }
        }
        return Configuration(
            executable: try await Self.executable(in: values),
            // Raw arguments are passed as C strings, so each needs a NUL.
            arguments: Arguments(line.map { $0.bytes + [0] }),
            environment: .custom(values))
    }

    private static func explained(_ error: any Error, _ command: String) -> GitError {
        if let error = error as? GitError { return error }
        switch (error as? SubprocessError)?.code {
        case .executableNotFound?: return .gitNotFound
        case .outputLimitExceeded?: return .tooMuchOutput(command: command, limit: messageLimit)
        default: return .notStarted(command: command, reason: "\(error)")
        }
    }

    /// The first git in the PATH of an environment, looked for once.
    private static func executable(in variables: [Environment.Key: String]) async throws -> Executable {
        let path = variables["PATH"] ?? ""
        if let known = found.withLock({ $0[path] }) { return known }
        let program = Executable.path(
            try await Executable.name("git").resolveExecutablePath(in: .custom(variables)))
        found.withLock { $0[path] = program }
        return program
    }

    /// git's message on one line, without control characters.
    private static func shown(_ bytes: [UInt8]) -> String {
        bytes.split(separator: UInt8(ascii: "\n")).map { GitName(bytes: $0).description }.joined(separator: "; ")
    }
}

extension GitOutput {
    /// The output if the command succeeded; otherwise throws git's message.
    func checked(_ command: String) throws(GitError) -> GitOutput {
        guard status == 0 else { throw .failed(command: command, status: status, message: message) }
        return self
    }
}
