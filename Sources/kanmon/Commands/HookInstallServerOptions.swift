import Application
import ArgumentParser
import Repository

struct HookInstallServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Install the pre-receive hook of a server's repository: look up verdicts, or run the tests.",
            valueName: "mode"))
    var server: ServerHookSettings.Mode?

    @Flag(help: "On a server: install the update hook, which judges each ref separately.") var update = false

    @Option(help: ArgumentHelp("On a server: the package's folder in the repository.", valueName: "dir"))
    var subpath: String?

    @Option(help: ArgumentHelp("On a server: look up verdicts in this store, such as a backup.", valueName: "file"))
    var store: String?

    @Option(help: ArgumentHelp("On a server: only runs of this project count.", valueName: "name"))
    var project: String?

    @Option(
        help: ArgumentHelp("On a server: the address of the dashboard, shown to a refused pusher.", valueName: "url"))
    var dashboard: String?

    @Option(
        name: .customLong("protect"),
        help: ArgumentHelp(
            "On a server: a branch that needs a verdict besides the default branch, or a pattern such as release/*; may be repeated.",
            valueName: "branch"))
    var protected: [String] = []

    func options(_ mode: ServerHookSettings.Mode, home: String, _ process: ProcessContext) -> ServerHookSettings {
        ServerHookSettings(
            mode: mode, home: home, store: store.map(process.absolute) ?? "", project: project ?? "",
            dashboard: dashboard ?? "", protected: protected)
    }

    /// Refuses invalid combinations.
    func check(isPreCommit: Bool) throws {
        let isGiven =
            update || subpath != nil || store != nil || project != nil || dashboard != nil || !protected.isEmpty
        if server == nil, isGiven {
            throw ValidationError("--update, --subpath, --store, --project, --dashboard and --protect need --server")
        }
        if let pattern = protected.first(where: { $0.isEmpty || $0.contains(where: \.isWhitespace) }) {
            throw ValidationError("--protect takes the name of a branch or a pattern; '\(pattern)' is neither")
        }
        if server != nil, isPreCommit { throw ValidationError("a server has no pre-commit hook") }
        if server == .run, store != nil { throw ValidationError("--store is for --server verify") }
    }
}
