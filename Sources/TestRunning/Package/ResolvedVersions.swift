import Foundation
import RunModel

/// The versions of a package's dependencies, each once, in the order of their names.
public struct ResolvedVersions: Sendable, Hashable {
    /// One `identity location version` for each; the version is the commit if there is one.
    public let lines: [String]

    /// Reads a `Package.resolved`; `nil` unless its format is 2 or 3.
    public init?(packageResolved bytes: [UInt8]) {
        guard let file = PackageResolved(Data(bytes)) else { return nil }
        let lines = file.pins.map { pin in
            (pin.state.revision ?? pin.state.version).map {
                "\(pin.identity) \(Redaction.clean(pin.location ?? "")) \($0)"
            }
        }
        guard let known = Self.known(lines) else { return nil }
        self.lines = known
    }

    /// The places that a `Package.resolved` names, by the identities of packages; `nil` unless its format is 2 or 3.
    static func places(inPackageResolved bytes: Data) -> [String: String]? {
        PackageResolved(bytes).map { file in
            Dictionary(file.pins.map { ($0.identity, $0.location ?? "") }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Reads the last resolved versions in a scratch folder; `nil` if they are unknown or can change unnoticed: a
    /// dependency is edited, or is in a folder outside of the package.
    public init?(scratchPath: String, packageRoot: String) {
        guard let dependencies = WorkspaceState.dependencies(scratchPath: scratchPath) else { return nil }
        let others = dependencies.filter { dependency in
            // A package inside of this one is part of the same tree.
            dependency.state.name != "fileSystem" || !dependency.packageRef.location.hasPrefix(packageRoot + "/")
        }
        guard let known = Self.known(others.map(\.line)) else { return nil }
        self.lines = known
    }

    /// What the dependencies are, as far as runs of several machines are compared by it; `nil` if that is unknown, as where one is
    /// edited.
    ///
    /// Like the lines, and for a local package its path from the package's folder and the SHA-256 of all files in it but those that
    /// git and SwiftPM keep for themselves.
    static func facts(scratchPath: String, packageRoot: String) -> [String]? {
        guard let dependencies = WorkspaceState.dependencies(scratchPath: scratchPath) else { return nil }
        return known(
            dependencies.map { dependency in
                guard dependency.state.name == "fileSystem" else { return dependency.line }
                let folder = dependency.packageRef.location
                return contents(of: folder).map { digest in
                    let place = LocalPackage.relativePath(of: folder, to: packageRoot)
                    return "\(dependency.packageRef.identity) \(place) \(digest)"
                }
            })
    }

    /// One hash of the names and contents of all files in a folder; `nil` if one cannot be read.
    private static func contents(of folder: String) -> String? {
        guard let listing = FolderListing(folder, stamped: true, skipping: FolderListing.isNoSource)
        else { return nil }
        var hash = PiecewiseHash()
        for file in listing.files {
            hash.add(file.path)
            hash.add(file.target)
            // Of a pipe or a socket there is nothing but its name, and who reads it may wait for ever.
            guard file.target == nil, file.stamp != nil else { continue }
            let path = "\(folder)/\(String(decoding: file.path, as: UTF8.self))"
            guard let digest = try? BuiltProducts.hash(of: path) else { return nil }
            hash.add(digest.utf8)
        }
        return hash.hexadecimal
    }

    /// The folders of local packages; `nil` if they are unknown, or a dependency is edited.
    static func localPackages(scratchPath: String) -> [String]? {
        guard let dependencies = WorkspaceState.dependencies(scratchPath: scratchPath) else { return nil }
        let kinds: Set = ["fileSystem", "sourceControlCheckout", "registryDownload"]
        guard dependencies.allSatisfy({ kinds.contains($0.state.name) }) else { return nil }
        return dependencies.filter { $0.state.name == "fileSystem" }.map(\.packageRef.location)
    }

    private static func known(_ lines: [String?]) -> [String]? {
        let known = lines.compactMap(\.self)
        return known.count == lines.count ? known.sorted { Name($0) < Name($1) } : nil
    }
}

private struct PackageResolved: Decodable {
    struct Pin: Decodable {
        struct State: Decodable {
            var revision: String?
            var version: String?
        }
        var identity: String
        var location: String?
        var state: State
    }
    var pins: [Pin]
    var version: Int

    /// Reads a file; `nil` unless its format is 2 or 3.
    init?(_ bytes: Data) {
        guard let file = try? JSONDecoder().decode(Self.self, from: bytes), (2...3).contains(file.version) else {
            return nil
        }
        self = file
    }
}

private struct WorkspaceState: Decodable {
    struct Object: Decodable { var dependencies: [Dependency] }
    struct Dependency: Decodable {
        var packageRef: Reference
        var state: State
    }
    struct Reference: Decodable {
        var identity: String
        var location: String
    }
    struct State: Decodable {
        struct Checkout: Decodable { var revision: String }
        var name: String
        var checkoutState: Checkout?
        var version: String?
    }
    var object: Object

    /// The last resolved dependencies in a scratch folder; `nil` if they cannot be read.
    static func dependencies(scratchPath: String) -> [Dependency]? {
        let path = scratchPath + "/workspace-state.json"
        // SwiftPM writes none for a package without dependencies.
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return FileManager.default.contents(atPath: path)
            .flatMap { try? JSONDecoder().decode(WorkspaceState.self, from: $0) }?.object.dependencies
    }
}

extension WorkspaceState.Dependency {
    /// `identity location version`; `nil` for what has no fixed version.
    fileprivate var line: String? {
        let version: String? =
            switch state.name {
            case "sourceControlCheckout": state.checkoutState?.revision
            case "registryDownload": state.version
            default: nil
            }
        return version.map { "\(packageRef.identity) \(Redaction.clean(packageRef.location)) \($0)" }
    }
}
