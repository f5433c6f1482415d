import SettingsFile
import TestRunning

extension Settings {
    /// The variables of the environment that are not passed to the tests.
    func withheld(from surroundings: Surroundings) -> WithheldVariables {
        WithheldVariables(
            names: ChildEnvironment.withheld(
                from: surroundings.environment, passing: environment.map { $0.value.entry }))
    }
}

/// Variables that are not passed to the tests.
struct WithheldVariables: Sendable {
    let names: [String]

    /// May hold untrusted text.
    var words: String {
        names.isEmpty
            ? "the tests get every variable that can be passed on"
            : "the tests do not get \(names.joined(separator: ", ")); run.environment passes on what they need"
    }
}
