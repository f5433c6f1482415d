import Application
import ArgumentParser

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
    func isOn(_ process: ProcessContext) -> Bool {
        verbose || process.isVerbose
    }
}
