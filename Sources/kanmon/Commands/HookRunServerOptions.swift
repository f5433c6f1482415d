import Application
import ArgumentParser
import Gate
import Repository

/// The options that the script of a server hook passes.
struct HookRunServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("On a server: look up verdicts, or run the tests.", valueName: "mode"))
    var mode: ServerHookSettings.Mode?

    @Option(help: ArgumentHelp("On a server: another store to look up verdicts in.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("On a server: the project whose runs count.", valueName: "name"))
    var project: String?

    @Option(help: ArgumentHelp("On a server: the address of the dashboard.", valueName: "url"))
    var dashboard: String?

    @Option(
        help: ArgumentHelp(
            "On a server: branches that need a verdict besides the default branch, separated by spaces.",
            valueName: "patterns"))
    var protect: String?

    /// The options of a server hook.
    func read(home: String) throws -> ServerHookSettings {
        guard let mode else {
            throw Problem(.usage, "a server hook needs --mode", hint: "kanmon hook install --server")
        }
        return ServerHookSettings(
            mode: mode, home: home, store: store ?? "", project: project ?? "", dashboard: dashboard ?? "",
            protected: ServerHookSettings.patterns(in: protect ?? ""))
    }
}
