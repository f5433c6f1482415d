import Foundation

@testable import Repository

/// A real hook, stopped while it runs: git has made its index and waits, and the test asks what it would judge.
struct InsideHook {
    /// The variables that git gave to the hook.
    let variables: [String: String]
    /// What git wrote to the hook's standard input.
    let standardInput: [UInt8]

    /// Writes the hook, runs git, calls `body` while the hook waits, and lets it end with a status.
    ///
    /// - Returns: How git ended.
    static func run(
        _ kind: HookKind,
        _ arguments: [String],
        in folder: String = "work",
        of sandbox: Sandbox,
        status: Int = 0,
        body: (InsideHook) async throws -> Void
    ) async throws -> GitOutput {
        let gate = "gate-\(kind.rawValue)"
        let hooks = try await sandbox.repository(folder).hooksDirectory().dropFirst(sandbox.root.count + 1)
        try sandbox.makeFolder(gate)
        try sandbox.writeProgram(
            """
            cd '\(sandbox.path(gate))' || exit 99
            cat >input
            env -0 >variables
            : >waiting
            tries=0
            while [ ! -e go ]; do sleep 0.02; tries=$((tries + 1)); [ $tries -lt 30000 ] || exit 98; done
            exit \(status)
            """,
            to: "\(hooks)/\(kind.rawValue)"
        )
        async let ended = sandbox.run(arguments, in: folder)
        while !sandbox.exists("\(gate)/waiting") { try await Task.sleep(for: .milliseconds(5)) }
        var failure: (any Error)?
        do {
            try await body(InsideHook(sandbox, gate: gate))
        } catch {
            failure = error
        }
        try sandbox.write("", to: "\(gate)/go")
        let output = try await ended
        try FileManager.default.removeItem(atPath: sandbox.path(gate))
        if let failure { throw failure }
        return output
    }

    private init(_ sandbox: Sandbox, gate: String) throws {
        var variables: [String: String] = [:]
        for entry in try sandbox.read("\(gate)/variables").split(separator: "\0") {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            variables[parts[0]] = parts[1]
        }
        self.variables = variables
        standardInput = Array(try Data(contentsOf: URL(fileURLWithPath: sandbox.path("\(gate)/input"))))
    }
}
