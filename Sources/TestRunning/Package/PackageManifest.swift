import Foundation
import RunModel

/// A target as a manifest declares it; its files need not exist.
public struct DeclaredTarget: Sendable, Hashable {
    /// The name.
    public let name: String
    /// What kind it is: `regular`, `executable`, `test`, `macro`, `plugin`, `binary`, `system`.
    public let kind: String
    /// Its folder, relative to the package; without a path in the manifest the first one in which SwiftPM looks for it.
    public internal(set) var path: String
    /// Its unsafe flags for compiler and linker.
    public let unsafeFlags: [String]
    /// The files and folders that it leaves out, relative to its folder.
    public var excluded: [String] = []
    /// The only files and folders that it takes, relative to its folder; `nil` for all.
    public var sources: [String]?

    /// Whether a file, by its path in the package, is one of its sources.
    public func compiles(_ file: String) -> Bool {
        let folder = path == "." || path.isEmpty ? "" : "\(path)/"
        guard file.utf8.starts(with: folder.utf8), file.hasSuffix(".swift") else { return false }
        func isAmong(_ names: [String]) -> Bool {
            names.contains { name in
                let place = folder + name.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
                return Name(place) == Name(file) || file.utf8.starts(with: "\(place)/".utf8)
            }
        }
        return !isAmong(excluded) && (sources.map(isAmong) ?? true)
    }

    /// The folders in which SwiftPM looks for a target without a path, in their order.
    fileprivate var roots: [String] {
        switch kind {
        case "test": ["Tests", "Sources", "Source", "src", "srcs"]
        case "plugin": ["Plugins"]
        default: ["Sources", "Source", "src", "srcs"]
        }
    }
}

/// The targets in a manifest, as `swift package dump-package` prints them.
public struct PackageManifest: Sendable, Hashable {
    /// In the order of the manifest.
    public let targets: [DeclaredTarget]
    /// The absolute folders of local packages that it depends on.
    public let localDependencies: [String]

    /// Reads what SwiftPM printed.
    init(json: Data) throws(RunnerError) {
        let package: Package
        do {
            package = try JSONDecoder().decode(Package.self, from: json)
        } catch {
            throw .descriptionUnreadable(detail: "\(error)")
        }
        targets = package.targets.map(\.declared)
        localDependencies = (package.dependencies ?? []).flatMap { $0.fileSystem ?? [] }.map(\.path)
    }

    /// A target with the folder in which it lies; `nil` if none of some files is where it may lie, as where they are behind a link.
    ///
    /// - Parameter files: Paths in the package.
    public func located(_ target: DeclaredTarget, among files: [String]) -> DeclaredTarget? {
        let path = target.path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        var folders = [path]
        if path == "\(target.roots[0])/\(target.name)" {
            // The only target of a folder may have all of it.
            let isAlone = targets.count { $0.roots == target.roots } == 1
            folders = target.roots.map { "\($0)/\(target.name)" } + (isAlone ? target.roots : [])
        }
        let place = folders.first { folder in
            folder.isEmpty || files.contains { $0.utf8.starts(with: "\(folder)/".utf8) }
        }
        guard let place else { return nil }
        var located = target
        located.path = place
        return located
    }

    /// Evaluates the manifest in a folder; the sources need not exist.
    public static func dumping(
        folder: String,
        scratchPath: String,
        parentEnvironment: [String: String],
        swiftOverride: String? = nil
    ) async throws(RunnerError) -> PackageManifest {
        let locator = ToolchainLocator(environment: parentEnvironment, swiftOverride: swiftOverride)
        let command = ChildCommand(
            executable: try locator.findSwift(),
            arguments: ["package", "--package-path", folder, "--scratch-path", scratchPath, "dump-package"],
            environment: ChildEnvironment(parent: parentEnvironment, extra: []).buildVariables
                .merging(["NO_COLOR": "1"]) { $1 },
            workingDirectory: folder
        )
        let captured = CapturedOutput()
        let limits = Supervision.Limits(run: .seconds(120), silence: nil, grace: .seconds(5))
        let outcome = try await ChildProcess(command, limits: limits, mergesStreams: false).run(captured)
        guard outcome.termination.isSuccess else { throw .manifestInvalid(detail: captured.errorText) }
        return try PackageManifest(json: captured.output)
    }
}

extension PackageManifest {
    private struct Package: Decodable {
        var targets: [Target]
        var dependencies: [Dependency]?
    }

    private struct Dependency: Decodable {
        var fileSystem: [Folder]?

        struct Folder: Decodable {
            var path: String
        }
    }

    private struct Target: Decodable {
        var name: String
        var type: String
        var path: String?
        var exclude: [String]?
        var sources: [String]?
        var settings: [Setting]?

        var declared: DeclaredTarget {
            let folder =
                switch type {
                case "test": "Tests"
                case "plugin": "Plugins"
                default: "Sources"
                }
            return DeclaredTarget(
                name: name, kind: type, path: path ?? "\(folder)/\(name)",
                unsafeFlags: (settings ?? []).flatMap { $0.kind.unsafeFlags?.flags ?? [] }, excluded: exclude ?? [],
                sources: sources)
        }
    }

    private struct Setting: Decodable {
        var kind: Kind

        struct Kind: Decodable {
            var unsafeFlags: Flags?
        }

        struct Flags: Decodable {
            var flags: [String]

            enum CodingKeys: String, CodingKey { case flags = "_0" }
        }
    }
}
