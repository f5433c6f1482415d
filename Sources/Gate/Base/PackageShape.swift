public import RunModel

/// The targets of a package as its manifest declares them.
public struct PackageShape: Sendable, Hashable, Codable {
    /// A target.
    public struct Target: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// Whether it holds tests.
        public var isTest: Bool
        /// Whether it has coverage to count: no plugin, no binary, no system library.
        public var isModule: Bool
        /// The names of its source files, without folders.
        public var files: [String]
        /// The paths of its Swift sources in the package, without those that the manifest excludes; `nil` if unknown.
        public var sources: [String]?
        /// The unsafe flags that it hands to compiler and linker.
        public var unsafeFlags: [String]

        package init(
            name: String, isTest: Bool, isModule: Bool, files: [String] = [], sources: [String]? = nil,
            unsafeFlags: [String] = []
        ) {
            self.name = name
            self.sources = sources
            self.isTest = isTest
            self.isModule = isModule
            self.files = files
            self.unsafeFlags = unsafeFlags
        }
    }

    /// The targets in the order of the manifest.
    public var targets: [Target]

    /// The folders of the packages that it depends on by a path, relative to it.
    public var localPackages: [String]

    package init(targets: [Target], localPackages: [String] = []) {
        (self.targets, self.localPackages) = (targets, localPackages)
    }

    /// The shape of a package by the targets that a run recorded; unsafe flags and local packages are unknown.
    public init(_ modules: [Module]) {
        localPackages = []
        targets = modules.map { module in
            Target(
                name: module.name, isTest: module.kind == .test,
                isModule: module.kind != .test && module.reasonNotMeasurable == nil,
                files: module.sources.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            )
        }
    }

    /// The sources of all targets; `nil` if those of one are unknown.
    var sources: Set<Name>? {
        let all = targets.filter(\.isModule).map(\.sources)
        let known = all.compactMap(\.self)
        return known.count == all.count ? Set(known.joined().lazy.map { Name($0) }) : nil
    }

    /// Something of every target, by whether it holds tests and by its name.
    func byKind<Value>(_ value: (Target) -> Value) -> [Bool: [Name: Value]] {
        Dictionary(grouping: targets, by: \.isTest).mapValues { targets in
            Dictionary(targets.map { (Name($0.name), value($0)) }) { first, _ in first }
        }
    }
}
