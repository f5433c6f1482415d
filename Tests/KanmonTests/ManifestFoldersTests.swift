import Foundation
import Repository
import Testing

@testable import Application

/// Which folders the manifests of a tree name: where texts may be resources of a target.
@Suite struct ManifestFoldersTests {
    @Test func `a manifest that is no file of the tree may name any folder`() async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write(
            "let package = Package(name: \"Kit\", targets: [.target(name: \"Kit\", path: \"Code\")])\n",
            to: "work/Package.swift")
        let repository = try #require(
            try await GitRepository.discover(
                at: folder.work, environment: GitEnvironment(folder.process.environment)))
        func folders() async throws -> [String]? {
            try await folder.git("add", ".")
            let tree = try #require(ObjectID(try await folder.git("write-tree")))
            return try await repository.manifestFolders(of: PackageSubpath(), in: tree)
        }
        #expect(try await folders() == ["Code/"])
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.work)/Package@swift-6.0.swift", withDestinationPath: "../none")
        #expect(try await folders() == nil)
    }
}
