public import RunModel

extension ModuleRule {
    /// Whether the rule is for the module of this name, byte by byte.
    public func matches(_ module: String) -> Bool {
        isPattern ? Glob(pattern).matches(module) : pattern.utf8.elementsEqual(module.utf8)
    }

    /// Whether it is written with `*` or `?`, so that it can be for more than one module.
    public var isPattern: Bool { Glob.isPattern(pattern) }
}

extension Policy {
    /// The floors of one module: those of the first rule that matches, and the default for a metric it leaves open.
    public func floors(for module: String) -> Floors {
        let own = ownFloors(for: module)
        return Floors(
            line: own?.line ?? defaultFloors.line, region: own?.region ?? defaultFloors.region,
            function: own?.function ?? defaultFloors.function
        )
    }

    /// What the first rule that matches a module sets; `nil` when only the default is for it.
    public func ownFloors(for module: String) -> Floors? { modules.first { $0.matches(module) }?.floors }

    /// Holds every module rule against the targets of the package; without any target there is nothing to say.
    ///
    /// `notMeasurable` gives the reason for a module without coverage to measure; of what is not known before a run, it
    /// says nothing. The pattern `*` may match nothing.
    public func checkRules(
        against modules: [Module],
        notMeasurable: (Module) -> String? = { $0.reasonNotMeasurable }
    ) throws(PolicyError) {
        guard !modules.isEmpty else { return }
        let judged = modules.filter { $0.kind != .test }
        for (index, rule) in self.modules.enumerated() {
            let earlier = self.modules[..<index]
            if rule.isPattern {
                guard judged.contains(where: { rule.matches($0.name) }) || rule.pattern == "*" else {
                    throw .ruleMatchesNothing(pattern: rule.pattern, known: judged.map(\.name))
                }
                if let twin = earlier.first(where: { $0.pattern.utf8.elementsEqual(rule.pattern.utf8) }) {
                    throw .ruleShadowed(pattern: rule.pattern, by: twin.pattern)
                }
            } else {
                guard let module = modules.first(where: { rule.matches($0.name) }) else {
                    throw .unknownModule(name: rule.pattern, known: judged.map(\.name))
                }
                if let reason = notMeasurable(module) {
                    throw .moduleNotMeasurable(module: module.name, reason: reason)
                }
                if let other = earlier.first(where: { $0.matches(module.name) }) {
                    throw .ruleShadowed(pattern: rule.pattern, by: other.pattern)
                }
            }
        }
    }
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
