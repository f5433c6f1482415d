import RunModel

extension GateChangeCode {
    static let runBeforeChanged = GateChangeCode(
        "run-before-changed", "What runs before the build is not what it was at the base.")
    static let runAfterChanged = GateChangeCode(
        "run-after-changed", "What runs after the tests is not what it was at the base.")
    static let runEnvironmentChanged = GateChangeCode(
        "run-environment-changed", "The tests see other variables than at the base, or other values of them.")
    static let buildChanged = GateChangeCode(
        "build-changed",
        "The package is built by another build system, or with other traits, checks or compiler flags than at the base."
    )
    static let generatedAdded = GateChangeCode(
        "generated-added", "Scripts may write files in the folders of targets that they could not write at the base.")
}

/// Scripts and variables are those of the base. Nobody can say which changes of them weaken the gate, so every change counts.
///
/// Settings that come into a package for the first time change nothing that was agreed on before.
enum RunSetup: Rule {
    static let code = "run-setup"
    static let changes: [GateChangeCode] = [
        .runBeforeChanged, .runAfterChanged, .runEnvironmentChanged, .buildChanged, .generatedAdded,
    ]

    static func compare(_ comparison: inout BaseComparison) {
        guard let settings = comparison.settings, settings.file != nil else { return }
        let lists: [(SettingsList.Rule, GateChangeCode)] = [
            (.before, .runBeforeChanged), (.after, .runAfterChanged), (.environment, .runEnvironmentChanged),
            (.buildSystem, .buildChanged), (.traits, .buildChanged), (.sanitizer, .buildChanged),
            (.swiftFlags, .buildChanged),
        ]
        for (rule, code) in lists {
            let (old, new) = (settings.entries(of: rule), comparison.baseline.head.entries(of: rule))
            guard !old.elementsEqual(new, by: { Name($0) == Name($1) }) else { continue }
            comparison.note(
                code, about: rule.rawValue, before: words(old), after: words(new), key: rule.rawValue)
        }
        comparison.compareNewEntries(of: .generated, .generatedAdded)
    }

    private static func words(_ entries: [String]) -> String {
        entries.isEmpty ? "none" : entries.joined(separator: ", ")
    }
}

extension BaseComparison {
    /// The entries of a list that are not in that of the base, each a gate change.
    mutating func compareNewEntries(of rule: SettingsList.Rule, _ code: GateChangeCode) {
        guard let settings else { return }
        let (old, key) = (settings.entries(of: rule), rule.rawValue)
        let known = Set(old.map { Name($0) })
        for entry in baseline.head.entries(of: rule) where !known.contains(Name(entry)) {
            note(code, about: entry, before: "not in \(key)", after: "in \(key)", key: "\(key).\(entry)")
        }
    }
}

/// A list in the settings file that can weaken the gate.
public struct SettingsList: Sendable, Hashable, Codable {
    /// Which list.
    public enum Rule: String, Sendable, Hashable, Codable, CaseIterable {
        /// Test targets that are switched off.
        case bundles = "tests.bundles"
        /// What runs before the build.
        case before = "run.before"
        /// What runs after the tests.
        case after = "run.after"
        /// Variables that the tests get to see.
        case environment = "run.environment"
        /// What SwiftPM builds with.
        case buildSystem = "build.system"
        /// The enabled traits of the package.
        case traits = "build.traits"
        /// The runtime checks.
        case sanitizer = "build.sanitize"
        /// Flags for the Swift compiler.
        case swiftFlags = "build.swift-flags"
        /// Patterns of files that scripts may make in the folders of targets.
        case generated = "run.generated"
    }

    /// Which list.
    public var rule: Rule
    /// Its content; untrusted text.
    public var entries: [String]

    package init(_ rule: Rule, _ entries: [String]) { (self.rule, self.entries) = (rule, entries) }
}
