public import RunModel

extension ModuleRule {
    /// Whether the rule is for the module of this name, byte by byte.
    public func matches(_ module: String) -> Bool {
        isPattern ? Glob(pattern).matches(module) : Name(pattern) == Name(module)
    }

    /// Whether it is written with `*` or `?`, so that it can be for more than one module.
    public var isPattern: Bool { Glob.isPattern(pattern) }
}

extension Policy {
    /// The floors of one module: those of the first rule that matches, and the default for a metric it leaves open.
    public func floors(for module: String) -> Floors { FloorTable(self).floors(for: module) }
}

extension Module {
    /// Why the manifest alone rules out that its coverage is measured.
    public var reasonNotMeasurable: String? {
        switch kind {
        case .test: "a test target"
        case .systemLibrary: "a system library"
        case .binary: "a binary target"
        case .plugin: "a plugin"
        case .macro, .library, .executable, .snippet: isSwift ? nil : "a C-family target"
        }
    }
}
