import Foundation
import RunModel

/// Caches the versions of a toolchain until its programs change, because asking takes 0.2 s.
struct ToolchainCache {
    private struct Entry: Codable {
        var swift: String
        var programs: [String]
        var folder: String
        var toolchain: Toolchain
    }

    /// The file of the cache.
    let path: String

    /// The cached installation of a `swift`; `nil` if there is none, or a program has changed.
    func recall(_ swift: String) -> ToolchainInstallation? {
        guard let bytes = FileManager.default.contents(atPath: path),
            let entry = try? JSONDecoder().decode(Entry.self, from: bytes),
            entry.swift == swift, Self.programs(of: swift, in: entry.folder) == entry.programs
        else { return nil }
        return ToolchainInstallation(tools: ToolPaths(directory: entry.folder), toolchain: entry.toolchain)
    }

    /// Stores an installation; errors are ignored.
    func remember(_ installation: ToolchainInstallation, of swift: String) {
        let folder = (installation.tools.swift as NSString).deletingLastPathComponent
        guard let programs = Self.programs(of: swift, in: folder),
            let bytes = try? JSONEncoder().encode(
                Entry(swift: swift, programs: programs, folder: folder, toolchain: installation.toolchain))
        else { return }
        let url = URL(filePath: path)
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? bytes.write(to: url, options: .atomic)
    }

    /// The identity of every program; `nil` if `swift` is a proxy, which may choose another toolchain the next time.
    static func programs(of swift: String, in folder: String) -> [String]? {
        guard let real = realPath(swift), (real as NSString).deletingLastPathComponent == folder else { return nil }
        let names =
            [real]
            + ["swift-frontend", "swift-driver", "swift-package", "clang", "llvm-cov", "llvm-profdata"]
            .map { "\(folder)/\($0)" }
        return names.map { name in
            FileStamp(name).map { "\(name) \($0)" } ?? "\(name) absent"
        }
    }
}

extension ToolchainLocator {
    /// The toolchain from the cache in `cacheDirectory`, or else found and cached now.
    public func recall(keeping cacheDirectory: String) async throws(RunnerError) -> ToolchainInstallation {
        let swift = try findSwift()
        let memory = ToolchainCache(path: cacheDirectory + "/toolchain.json")
        if let known = memory.recall(swift) { return known }
        let installation = try await locate()
        memory.remember(installation, of: swift)
        return installation
    }
}
