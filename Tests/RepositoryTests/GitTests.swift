import Foundation
import Testing

@testable import Repository

@Suite struct GitTests {
    private let git = Git(environment: GitEnvironment(ProcessInfo.processInfo.environment))

    @Test func `output within the limit arrives whole`() async throws {
        let output = try await git.run("version", limit: 1 << 20)
        #expect(output.status == 0)
        #expect(output.text.hasPrefix("git version "))
        #expect(output.bytes.count == output.line.count + 1)
    }

    @Test func `output beyond the limit is an error, not a part of an answer`() async throws {
        await #expect(throws: GitError.tooMuchOutput(command: "version", limit: 10)) {
            _ = try await git.run("version", limit: 10)
        }
    }
}
