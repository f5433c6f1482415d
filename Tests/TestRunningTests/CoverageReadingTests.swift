import Foundation
import TestSupport
import Testing

@testable import TestRunning

@Suite struct CoverageReadingTests {
    private let folder: TemporaryFolder
    private let objects: [String]
    private let profile: String

    /// The recorded program of the room that reads the parts.
    init() throws {
        folder = try TemporaryFolder()
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let recorded = tests.appending(path: "EvidenceTests/Fixtures/coverage/mapping").path(percentEncoded: false)
        objects = ["main.o", "Till.o"].map { "\(recorded)/\($0)" }
        profile = "\(recorded)/one.raw"
    }

    private func isRead(_ profiles: [String]) -> Bool {
        guard CoverageReading.of(objects, profiles: profiles) != nil else { return false }
        return true
    }

    @Test func `anything else that a test leaves instead of a profile is left to the tools, at once`() throws {
        #expect(isRead([profile]))
        let sparse = try folder.write("", to: "sparse.profraw")
        try #require(truncate(sparse, 1 << 40) == 0)
        let pipe = "\(folder.path)/pipe.profraw"
        try #require(mkfifo(pipe, 0o600) == 0)
        for other in [sparse, pipe, folder.path, "/dev/zero", "\(folder.path)/none"] {
            #expect(!isRead([profile, other]))
        }
    }

    @Test func `reading ends when it is cancelled`() async throws {
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            return isRead([profile])
        }
        reading.cancel()
        #expect(await !reading.value)
    }
}
