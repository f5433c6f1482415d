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
    public func floors(for module: String) -> Floors {
        let own = ownFloors(for: module)
        return Floors(
            line: own?.line ?? defaultFloors.line, region: own?.region ?? defaultFloors.region,
            function: own?.function ?? defaultFloors.function
        )
    }

    /// What the first rule that matches a module sets; `nil` when only the default is for it.
    public func ownFloors(for module: String) -> Floors? { modules.first { $0.matches(module) }?.floors }

    /// Checks every module rule against the targets of the package; without any target there is nothing to say.
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
                try Self.check(rule, after: earlier, against: judged, notMeasurable: notMeasurable)
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

    /// Checks a pattern against the modules: there must be one that it sets a floor on.
    ///
    /// Rules by name may take all of its modules, because it is there for those to come; an earlier pattern that takes
    /// all of them probably takes those as well.
    private static func check(
        _ rule: ModuleRule, after earlier: ArraySlice<ModuleRule>, against judged: [Module],
        notMeasurable: (Module) -> String?
    ) throws(PolicyError) {
        if let twin = earlier.first(where: { Name($0.pattern) == Name(rule.pattern) }) {
            throw .ruleShadowed(pattern: rule.pattern, by: twin.pattern)
        }
        guard rule.pattern != "*" else { return }
        let matches = judged.filter { rule.matches($0.name) }
        guard let first = matches.first else {
            throw .ruleMatchesNothing(pattern: rule.pattern, known: judged.map(\.name))
        }
        if let reason = notMeasurable(first), matches.allSatisfy({ notMeasurable($0) != nil }) {
            throw .moduleNotMeasurable(module: rule.pattern, reason: "\(first.name) (\(reason))")
        }
        // By the manifest alone: what a run finds out about a module says nothing about the order of the rules.
        let measurable = matches.filter { $0.reasonNotMeasurable == nil }.map(\.name)
        let other = earlier.first { other in other.isPattern && measurable.allSatisfy { other.matches($0) } }
        if let other { throw .ruleShadowed(pattern: rule.pattern, by: other.pattern) }
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
