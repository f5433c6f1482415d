import ArgumentParser
import Exports
import SettingsFile

/// Whether more is told than a run needs.
struct VerboseOption: ParsableArguments {
    @Flag(
        name: [.short, .long],
        help: """
            Also name the variables of the environment that the tests do not get, and say why the server did not hear how the \
            run goes; so does KANMON_VERBOSE=1.
            """)
    var verbose = false

    /// Whether it was asked for: by the flag, or for hooks, whose command lines git writes, by the variable.
    func isOn(_ surroundings: Surroundings) -> Bool {
        verbose || surroundings.isVerbose
    }
}

extension Surroundings {
    /// Whether the environment asks for more to be told.
    package var isVerbose: Bool { !["", "0"].contains(environment["KANMON_VERBOSE"] ?? "") }
}

extension Settings {
    /// Names the variables that the tests do not get.
    package func tellWithheld(_ surroundings: Surroundings) {
        StandardStreams.tell("kanmon: \(TerminalText.safe(withheld(from: surroundings).words))")
    }
}
