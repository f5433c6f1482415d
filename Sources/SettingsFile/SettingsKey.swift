import RunModel

/// Every key of the file of settings, by its path. A key that is not here is an error until its feature exists.
enum SettingsKey: String, CaseIterable {
    case version, project, base
    case coverage
    case modules = "coverage.modules"
    case projectRule = "coverage.project"
    case projectLine = "coverage.project.line"
    case mayDrop = "coverage.project.may-drop"
    case patchRule = "coverage.patch"
    case patchLine = "coverage.patch.line"
    case minimumLines = "coverage.patch.min-lines"
    case fileRule = "coverage.files"
    case fileLine = "coverage.files.line"
    case exclude = "coverage.exclude"
    case ratchet = "coverage.ratchet"
    case tests
    case minimum = "tests.minimum"
    case flaky = "tests.flaky"
    case quarantine = "tests.quarantine"
    case budgets = "tests.budgets"
    case retries = "tests.retries"
    case jobs = "tests.jobs"
    case bundles = "tests.bundles"
    case timeouts = "tests.timeouts"
    case runTimeout = "tests.timeouts.run"
    case testTimeout = "tests.timeouts.test"
    case silenceTimeout = "tests.timeouts.silence"
    case run
    case before = "run.before"
    case after = "run.after"
    case generated = "run.generated"
    case environment = "run.environment"
    case isolation = "run.isolation"
    case reuse = "run.reuse"
    case hooks
    case preCommit = "hooks.pre-commit"
    case hookTests = "hooks.pre-commit.tests"
    case hookBudget = "hooks.pre-commit.budget"

    /// The version of the format that this build reads.
    static let currentVersion = 1
    /// The key under `coverage.modules` that is no module but sets the floors of all others.
    static let defaultModule = "default"
    /// The keys under a module.
    static let metrics = CoverageMetric.allCases.map(\.rawValue)
    /// The keys of an exclude that is more than a pattern.
    static let exclusion = ["path", "reason"]

    /// The key as it is written in its section.
    var name: String { rawValue.split(separator: ".").last.map(String.init) ?? rawValue }

    /// The keys of a section in the order of the reference; `nil` is the top.
    static func keys(in section: SettingsKey?) -> [SettingsKey] {
        allCases.filter { key in
            let parent = key.rawValue.split(separator: ".").dropLast().joined(separator: ".")
            return parent == section?.rawValue ?? ""
        }
    }
}
