import Foundation
import TestSupport
import Testing

@testable import TestRunning

@Suite struct PreloadCompilerTests {
    @Test(.slow) func `runs that begin at the same time each have the observer, and nothing else stays`() async throws {
        let folder = try TemporaryFolder()
        let environment = ProcessInfo.processInfo.environment
        let installation = try await ToolchainLocator(environment: environment).locate()
        let compiler = PreloadCompiler(
            installation: installation, cacheDirectory: folder.path, environment: environment)
        let libraries = try await withThrowingTaskGroup(of: PreloadLibraries.self) { group in
            for _ in 1...3 { group.addTask { try await compiler.libraries() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(libraries).count == 1)
        let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/observer")
        #expect(kept.count == 1)
        for library in libraries {
            #expect(FileManager.default.fileExists(atPath: library.preload))
            #expect(FileManager.default.fileExists(atPath: library.observer))
        }
    }
}
