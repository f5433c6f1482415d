import Application
import ArgumentParser

/// Whether additional information is printed.
struct VerboseOption: ParsableArguments {
    @Flag(
        name: [.short, .long],
        help: """
            Also name the variables of the environment that the tests do not get, and say why the server \
            was not told the progress of the run; so does KANMON_VERBOSE=1.
            """)
    var verbose = false

    /// Whether it is on: by the flag or, for hooks, whose command lines git writes, by the variable.
    func isOn(_ process: ProcessContext) -> Bool {
        verbose || process.isVerbose
    }
}
