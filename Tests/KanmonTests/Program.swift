import Foundation
import Subprocess

/// The program that was built beside these tests, started as a process of its own.
struct Program: Sendable {
    /// How a process ended, and what it printed.
    struct Outcome: Sendable, Equatable {
        /// The exit status; 128 + n when signal n ended the process.
        let status: Int32
        let output: String
        let messages: String
    }

    /// A folder for everything that the process keeps.
    let folder: TestFolder
    /// Variables beside the few that the process needs.
    var variables: [String: String] = [:]
    /// The binary that is started.
    var executable = Program.path
    /// A program, and its words, that becomes the program of the tests.
    var wrapper: [String] = []

    /// The binary: beside the test bundle, or the one that `KANMON_BINARY` names.
    static var path: String {
        let environment = ProcessInfo.processInfo.environment
        if let chosen = environment["KANMON_BINARY"], !chosen.isEmpty { return chosen }
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().appending(path: "kanmon").path(percentEncoded: false)
    }

    /// The same, not measured: a process that is killed may leave an empty profile, and coverage would be unknown.
    var unmeasured: Program {
        var copy = self
        copy.variables["LLVM_PROFILE_FILE"] = "/dev/null"
        return copy
    }

    /// A server, however full the disk of this machine is: deliveries are taken all the same.
    static let serve = ["serve", "--least-free", "0"]

    /// Runs the program to its end.
    func run(_ arguments: [String], in directory: String? = nil) async throws -> Outcome {
        try await run(arguments, in: directory) { _ in }
    }

    /// Runs the program and calls `act` meanwhile, with a way to send it a signal.
    func run(
        _ arguments: [String],
        in directory: String? = nil,
        while act: (_ send: (Signal) throws -> Void) async throws -> Void
    ) async throws -> Outcome {
        let result = try await Subprocess.run(
            // It becomes the program in the folder named, so that a signal reaches the program itself.
            .name("env"),
            arguments: Arguments(["-C", directory ?? folder.work] + wrapper + [executable] + arguments),
            environment: .custom(environment),
            input: .none,
            output: .bytes(limit: 4 << 20),
            error: .bytes(limit: 4 << 20)
        ) { execution in
            try await act { try execution.send(signal: $0) }
        }
        let status: Int32 =
            switch result.terminationStatus {
            case .exited(let status): status
            case .signaled(let signal): 128 + signal
            }
        return Outcome(
            status: status, output: String(decoding: result.standardOutput, as: UTF8.self),
            messages: String(decoding: result.standardError, as: UTF8.self))
    }

    /// Nothing of the user's: no settings, no git configuration, no store.
    private var environment: [Environment.Key: String] {
        let own = ProcessInfo.processInfo.environment
        var values = [
            "PATH": own["PATH"] ?? "/usr/bin:/bin", "HOME": folder.work, "KANMON_HOME": folder.home,
            "XDG_CACHE_HOME": TestFolder.sharedCache, "TERM": "dumb", "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
            // Why a test fails is known to whoever wrote it down.
            "KANMON_CAUSES_BUDGET": "0s",
        ]
        // Where these tests are measured, what they start is measured too. Each process has a profile of its own: hundreds
        // that merge into one pool while others end leave counters of absurd size in it.
        values["LLVM_PROFILE_FILE"] = own["LLVM_PROFILE_FILE"].map {
            $0 == "/dev/null" ? $0 : ($0 as NSString).deletingLastPathComponent + "/kanmon-%p.profraw"
        }
        values.merge(variables) { _, chosen in chosen }
        var keyed: [Environment.Key: String] = [:]
        for (name, value) in values {
            if let key = Environment.Key(rawValue: name) { keyed[key] = value }
        }
        return keyed
    }
}
