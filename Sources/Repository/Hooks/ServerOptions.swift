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
    /// Patterns of the branches that need a verdict beside the default branch, such as `release/*`; one that begins with
    /// `refs/` is of whole names of refs.
    public var protected: [String]

    /// Makes options from their parts.
    public init(
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

extension ServerOptions {
    /// The patterns as one word of a command line: no name of a ref holds a space.
    var protectedWords: String { protected.joined(separator: " ") }

    /// The patterns in such a word.
    public static func patterns(in words: String) -> [String] { words.split(separator: " ").map(String.init) }
}
