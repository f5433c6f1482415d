import Foundation
import RunModel

/// What a toolchain said of itself, kept as long as its programs are the same files: asking takes a fifth of a second.
struct ToolchainCache {
    private struct Entry: Codable {
        var swift: String
        var programs: [String]
        var folder: String
        var toolchain: Toolchain
    }

    /// The file that it is kept in.
    let path: String

    /// What is known of the `swift` at a path; `nil` when nothing is, or a program has changed since.
    func recall(_ swift: String) -> ToolchainInstallation? {
        guard let bytes = FileManager.default.contents(atPath: path),
            let entry = try? JSONDecoder().decode(Entry.self, from: bytes),
            entry.swift == swift, Self.programs(of: swift, in: entry.folder) == entry.programs
        else { return nil }
        return ToolchainInstallation(tools: ToolPaths(directory: entry.folder), toolchain: entry.toolchain)
    }

    /// Keeps what was asked; where that cannot be done, it is asked again the next time.
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

    /// The identity of every program; `nil` when `swift` is a proxy, which may choose another toolchain the next time.
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
    /// The toolchain as it was told before, or asked now and kept in `cacheDirectory`.
    public func recall(keeping cacheDirectory: String) async throws(RunnerError) -> ToolchainInstallation {
        let swift = try findSwift()
        let memory = ToolchainCache(path: cacheDirectory + "/toolchain.json")
        if let known = memory.recall(swift) { return known }
        let installation = try await locate()
        memory.remember(installation, of: swift)
        return installation
    }
}
