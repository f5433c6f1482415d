import Foundation
public import RunModel

/// The output of `swift package describe --type json`.
public struct PackageDescription: Sendable, Hashable {
    /// The name in the manifest; the test product is named after it.
    public let name: String
    /// The targets of the root package, by name.
    public let modules: [Module]
    /// The folders of local packages that it depends on.
    let localDependencies: [String]
    /// The tools version of the manifest; `nil` if SwiftPM did not tell it.
    let toolsVersion: String?

    /// Makes a description from its parts.
    init(name: String, modules: [Module], localDependencies: [String] = [], toolsVersion: String? = nil) {
        self.toolsVersion = toolsVersion
        self.name = name
        self.modules = modules
        self.localDependencies = localDependencies
    }

    /// Reads what SwiftPM printed.
    init(json: Data) throws(RunnerError) {
        let package: Package
        do {
            package = try JSONDecoder().decode(Package.self, from: json)
        } catch {
            throw .descriptionUnreadable(detail: "\(error)")
        }
        name = package.manifest_display_name ?? package.name
        localDependencies = (package.dependencies ?? []).filter { $0.type == "fileSystem" }.compactMap(\.path)
        toolsVersion = package.tools_version
        modules = package.targets.map(\.module).sorted { Name($0.name) < Name($1.name) }
    }

    /// Whether there is anything to test.
    var hasTests: Bool { modules.contains { $0.kind == .test } }

    /// Whether no target is in a hidden folder, which listings skip.
    var isVisible: Bool {
        modules.allSatisfy { module in
            !module.path.split(separator: "/").contains { $0.hasPrefix(".") && $0 != "." }
        }
    }
}

extension PackageDescription {
    private struct Package: Decodable {
        var name: String
        var manifest_display_name: String?
        var tools_version: String?
        var targets: [Target]
        var dependencies: [Dependency]?
    }

    private struct Dependency: Decodable {
        var type: String?
        var path: String?
    }

    private struct Target: Decodable {
        var name: String
        var c99name: String
        var type: String
        var module_type: String
        var path: String
        var sources: [String]
        var target_dependencies: [String]?

        var module: Module {
            Module(
                name: name,
                compilerName: c99name,
                // An unknown kind of a later SwiftPM counts as code.
                kind: Module.Kind(rawValue: type) ?? .library,
                isSwift: module_type == "SwiftTarget",
                path: path,
                sources: sources.sorted { Name($0) < Name($1) },
                dependencies: target_dependencies ?? []
            )
        }
    }
}
