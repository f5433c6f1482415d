import RunModel

/// How the coverage of a run was read where no tool of LLVM was started for it.
public struct CoverageProvenance: Sendable, Hashable, Codable {
    /// Who read it; always `kanmon`.
    public var reader: String
    /// The folder of the tools in whose place it was read, and which export the very bytes: `llvm-profdata` and `llvm-cov`.
    public var tools: String
    /// The raw profiles, as absolute paths.
    public var profiles: [String]
    /// The list of the object files, as a response file for llvm-cov.
    public var objects: String
    /// How many functions the objects describe, each once.
    public var functions: Int
    /// How long it took; in the file an integer of nanoseconds, which `RunModel` sees to.
    public var duration: Duration

    /// Makes a record from its parts.
    public init(
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
    /// By atomic additions: none is lost, however many threads count.
    case atomic
}
