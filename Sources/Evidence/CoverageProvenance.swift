import RunModel

/// How Kanmon itself read the coverage of a run, without LLVM's tools.
public struct CoverageProvenance: Sendable, Hashable, Codable {
    /// Who read it; always `kanmon`.
    public var reader: String
    /// The folder of the tools that would export the same bytes: `llvm-profdata` and `llvm-cov`.
    public var tools: String
    /// The raw profiles, as absolute paths.
    public var profiles: [String]
    /// The list of the object files, as a response file for llvm-cov.
    public var objects: String
    /// The number of distinct functions in the objects.
    public var functions: Int
    /// How long it took; in the file an integer of nanoseconds, which `RunModel` sees to.
    public var duration: Duration

    package init(
        reader: String = "kanmon", tools: String, profiles: [String], objects: String, functions: Int,
        duration: Duration
    ) {
        self.reader = reader
        self.tools = tools
        self.profiles = profiles
        self.objects = objects
        self.functions = functions
        self.duration = duration
    }
}

/// How the counters of coverage were increased.
public enum CounterKind: String, Sendable, Hashable, Codable {
    /// By atomic additions: no increment is lost, with any number of threads.
    case atomic
}
