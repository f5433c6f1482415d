import RunModel

/// A policy that cannot be applied to a package: nothing is judged by it.
public enum PolicyError: Error, Sendable, Hashable {
    /// A rule names a module that the package does not have.
    case unknownModule(name: String, known: [String])
    /// The pattern of a rule matches no module of the package.
    case ruleMatchesNothing(pattern: String, known: [String])
    /// A rule can never apply, because every module it names is taken by a rule before it.
    case ruleShadowed(pattern: String, by: String)
    /// A rule sets a floor on a module that has no coverage to measure, or its pattern matches only such modules.
    case moduleNotMeasurable(module: String, reason: String)
    /// The pattern of an exclude matches no file of the package.
    case excludeMatchesNothing(pattern: String, suggestion: String?)
    /// The pattern of a budget matches no test of the package.
    case budgetMatchesNothing(pattern: String, suggestion: String?)

    /// The pattern of the rule or the exclude that is wrong.
    public var pattern: String {
        switch self {
        case .unknownModule(let pattern, _), .ruleMatchesNothing(let pattern, _), .ruleShadowed(let pattern, _),
            .moduleNotMeasurable(let pattern, _), .excludeMatchesNothing(let pattern, _),
            .budgetMatchesNothing(let pattern, _):
            pattern
        }
    }

    /// What to change, where that can be said.
    public var hint: String? {
        switch self {
        case .unknownModule(let name, let known):
            if let near = Spelling.nearest(to: name, among: known) {
                "write '\(near)'"
            } else {
                Self.choice(of: known)
            }
        case .ruleMatchesNothing(_, let known):
            Self.choice(of: known)
        case .ruleShadowed(let pattern, let other):
            if Name(pattern) == Name(other) {
                "remove one of the two"
            } else if Glob.isPattern(pattern) {
                "remove it, or move it before '\(other)' if that matches more: the first rule that matches wins"
            } else {
                "move '\(pattern)' before '\(other)': the first rule that matches wins"
            }
        case .moduleNotMeasurable(let module, _):
            "remove the floor on '\(module)'"
        case .excludeMatchesNothing(_, let suggestion):
            suggestion.map { "write '\($0)'" } ?? "remove it, or write a path relative to the package"
        case .budgetMatchesNothing(_, let suggestion):
            suggestion.map { "write '\($0)'" } ?? "remove it, or write a test as Target/Suite/test"
        }
    }

    private static func choice(of known: [String]) -> String? {
        guard !known.isEmpty else { return nil }
        let shown = known.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
        return "the modules are \(shown)" + (known.count > 12 ? " and \(known.count - 12) more" : "")
    }
}

extension PolicyError: CustomStringConvertible {
    /// What is wrong, as a fragment of a sentence.
    public var description: String {
        switch self {
        case .unknownModule(let name, _):
            "coverage.modules: the package has no module '\(name)'"
        case .ruleMatchesNothing(let pattern, _):
            "coverage.modules: '\(pattern)' matches no module of the package"
        case .ruleShadowed(let pattern, let other):
            "coverage.modules: '\(pattern)' never applies, because '\(other)' comes before it"
        case .moduleNotMeasurable(let module, let reason):
            Glob.isPattern(module)
                ? "coverage.modules: '\(module)' matches no module that is measurable: \(reason)"
                : "coverage.modules: '\(module)' has a floor but is not measurable: \(reason)"
        case .excludeMatchesNothing(let pattern, _):
            "coverage.exclude: '\(pattern)' matches no file of the package"
        case .budgetMatchesNothing(let pattern, _):
            "tests.budgets: '\(pattern)' matches no test of the package"
        }
    }
}
