/// The options of a server hook. None of them comes from the push.
public struct ServerHookSettings: Sendable, Hashable {
    /// Whether the server looks a verdict up or makes one.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Looks up a verdict on the tree in the store, within a second.
        case verify
        /// Runs the tests while the pusher waits.
        case run
    }

    /// The mode.
    public var mode: Mode
    /// The folder of the store and the run directories, absolute.
    public var home: String
    /// Another store to look verdicts up in, such as a backup of the pipeline's; empty for that of the home.
    public var store: String
    /// The project whose runs count; empty for the one in the tree's settings, else any.
    public var project: String
    /// The address of the dashboard, shown to a refused pusher; empty if there is none.
    public var dashboard: String
    /// Patterns of the branches that need a verdict besides the default branch, such as `release/*`; one that begins
    /// with `refs/` matches full ref names.
    public var protected: [String]

    package init(
        mode: Mode, home: String, store: String = "", project: String = "", dashboard: String = "",
        protected: [String] = []
    ) {
        self.mode = mode
        self.home = home
        self.store = store
        self.project = project
        self.dashboard = dashboard
        self.protected = protected
    }
}

extension ServerHookSettings {
    /// The options of `hook run` besides `--home`, in order: the script of a hook has a variable for each. An empty value
    /// is not passed on.
    var words: [(name: String, value: String)] {
        [
            ("mode", mode.rawValue), ("store", store), ("project", project), ("dashboard", dashboard),
            ("protect", protected.joined(separator: " ")),
        ]
    }

    /// Reads the options from the variables of a script, by the names in `words`; `nil` if one is missing.
    init?(home: String, reading value: (_ name: String) -> String?) {
        guard let mode = value("mode").flatMap(Mode.init), let store = value("store"), let project = value("project"),
            let dashboard = value("dashboard"), let protected = value("protect")
        else { return nil }
        self.init(
            mode: mode, home: home, store: store, project: project, dashboard: dashboard,
            protected: Self.patterns(in: protected))
    }

    /// The patterns in the value of `--protect`: names of refs contain no space.
    public static func patterns(in words: String) -> [String] { words.split(separator: " ").map(String.init) }
}
