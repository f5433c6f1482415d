package import Foundation
import RunModel

/// What the process is given from outside: only this type reads the environment, the clock and random numbers.
package struct ProcessContext: Sendable {
    /// The environment variables.
    package let environment: [String: String]
    /// The working directory, absolute.
    package let workingDirectory: String
    /// The arguments after the program's name.
    package let arguments: [String]

    package init(environment: [String: String], workingDirectory: String, arguments: [String]) {
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.arguments = arguments
    }

    /// Those of this process.
    package static let current = ProcessContext(
        environment: ProcessInfo.processInfo.environment,
        workingDirectory: FileManager.default.currentDirectoryPath,
        arguments: Array(CommandLine.arguments.dropFirst())
    )

    /// The moment that `now` is to be; `nil` for that of the clock.
    var moment: Date?

    /// The moment.
    package var now: Date { moment ?? Date() }

    /// The number of this process, and the name of the host that it runs on; a name server may be asked for that.
    var process: (pid: Int32, host: String) {
        (ProcessInfo.processInfo.processIdentifier, ProcessInfo.processInfo.hostName)
    }

    /// The path of the running binary, links resolved.
    var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? absolute(CommandLine.arguments.first ?? "kanmon")
    }

    /// The absolute path by which this program was called: a link that an upgrade leads elsewhere stays that link.
    ///
    /// The path of the running binary where the call names another file, as it does when a program sets it freely.
    package var calledProgram: String {
        let name = CommandLine.arguments.first ?? ""
        let candidates =
            name.contains("/")
            ? [absolute(name)]
            : (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        let binary = real(executable)
        // The first one that can be executed is the one that a shell calls.
        guard let called = candidates.first(where: { access($0, X_OK) == 0 }), real(called) == binary else {
            return executable
        }
        return called
    }

    /// 32 random hexadecimal digits.
    package func makeNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// `path` as an absolute path without `.` and `..`; links are kept.
    package func absolute(_ path: String) -> String {
        let expanded = path.hasPrefix("/") ? path : workingDirectory + "/" + path
        return URL(fileURLWithPath: expanded).standardizedFileURL.path
    }

    /// `path` as an absolute path with every link resolved: the same folder has one such path.
    package func real(_ path: String) -> String {
        guard let resolved = realpath(absolute(path), nil) else { return absolute(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The columns of the terminal on standard output; 100 if there is none.
    var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    /// Whether standard error is a terminal that can update a line.
    package var updatesLines: Bool { isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" }

    /// Whether the file descriptor is a terminal, and colors are not switched off.
    func wantsColor(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Whether the environment asks for more to be told.
    package var isVerbose: Bool { !["", "0"].contains(environment["KANMON_VERBOSE"] ?? "") }
}
