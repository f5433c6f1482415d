import Exports
package import SettingsFile
import TestRunning

extension Settings {
    /// The variables of the environment that are not passed to the tests.
    package func withheld(from process: ProcessContext) -> WithheldVariables {
        WithheldVariables(
            names: ChildEnvironment.withheld(
                from: process.environment, passing: environment.map { $0.value.entry }))
    }

    /// Names the variables that the tests do not get.
    package func tellWithheld(_ process: ProcessContext) {
        StandardStreams.tell("kanmon: \(TerminalText.safe(withheld(from: process).words))")
    }
}

/// Variables that are not passed to the tests.
package struct WithheldVariables: Sendable {
    let names: [String]

    /// May hold untrusted text.
    package var words: String {
        names.isEmpty
            ? "all variables that can be passed on are passed to the tests"
            : "not passed to the tests: \(names.joined(separator: ", ")); name what they need under run.environment"
    }
}
