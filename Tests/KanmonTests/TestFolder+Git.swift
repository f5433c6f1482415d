import Foundation
import Subprocess
import Testing

@testable import Application

extension TestFolder {
    /// The process context of a command in the working directory, with nothing of the user's in them.
    var process: ProcessContext {
        ProcessContext(
            environment: [
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": work,
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
            ], workingDirectory: work, arguments: [])
    }

    /// What git prints in the working directory.
    @discardableResult
    func git(_ words: String...) async throws -> String { try await git(words) }

    /// What git prints in the working directory.
    @discardableResult
    func git(_ words: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name("git"),
            arguments: Arguments(["-C", work, "-c", "user.name=A", "-c", "user.email=a@b"] + words),
            environment: .inherit.updating(["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]),
            input: .none, output: .string(limit: 1 << 20), error: .discarded)
        #expect(result.terminationStatus == .exited(0))
        return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
