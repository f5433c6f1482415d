/// How a hook on a server comes to its answer. None of it comes from what is pushed.
public struct ServerOptions: Sendable, Hashable {
    /// Whether the server looks a verdict up or makes one.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Asks the store for a verdict on the tree: an answer within a second.
        case verify
        /// Runs the tests while the pusher waits.
        case run
    }

    /// How.
    public var mode: Mode
    /// The folder of the store and the run directories, absolute.
    public var home: String
    /// Another store to look verdicts up in, such as a backup of the pipeline's; empty for that of the home.
    public var store: String
    /// The project whose runs count; empty for what the settings in the tree say, else any.
    public var project: String
    /// The address of the dashboard, for whoever is refused; empty where there is none.
    public var dashboard: String

    /// Makes options from their parts.
    public init(mode: Mode, home: String, store: String = "", project: String = "", dashboard: String = "") {
        self.mode = mode
        self.home = home
        self.store = store
        self.project = project
        self.dashboard = dashboard
    }
}
