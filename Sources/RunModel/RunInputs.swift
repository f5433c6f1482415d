/// What the outcome of a run depends on besides the tested tree.
///
/// If the tree and all of this are the same, the tests need not run again. A run of a working copy has inputs too, by which shards
/// are compared; it answers for no tree.
public struct RunInputs: Sendable, Hashable, Codable {
    /// The version of the evidence; raised whenever it is collected, or what it is of is built, differently.
    ///
    /// Runs of another version speak for no commit. The store decides that when it takes a run in, so with this rises the version of its
    /// schema, too, once one was released.
    public static let currentEvidenceVersion = 5

    /// The version of the run's evidence.
    public var evidenceVersion: Int
    /// The compiler and tools; `nil` until they are known.
    public var toolchain: Toolchain?
    /// Where the package lies in the tree; `nil` for the top.
    public var package: String?
    /// The operating system and the processor's architecture.
    public var platform: String
    /// The dependencies as `identity location version`, in order; `nil` if they are unknown or can change unnoticed.
    public var dependencies: [String]?
    /// SHA-256 of what git applies to files at a checkout: filters and line ends.
    public var checkout: String
    /// SHA-256 of the variables that the tests get to see, but for those in `places`.
    public var environment: String
    /// SHA-256 of the variables that say where things are on this machine and whose it is, such as PATH and HOME.
    public var places: String
    /// The settings that flags and variables can change.
    public var settings: String

    package init(
        evidenceVersion: Int = Self.currentEvidenceVersion,
        toolchain: Toolchain? = nil,
        package: String? = nil,
        platform: String,
        dependencies: [String]? = nil,
        checkout: String,
        environment: String,
        places: String = "",
        settings: String
    ) {
        self.evidenceVersion = evidenceVersion
        self.toolchain = toolchain
        self.package = package
        self.platform = platform
        self.dependencies = dependencies
        self.checkout = checkout
        self.environment = environment
        self.places = places
        self.settings = settings
    }

    /// The inputs that must be equal for a run of this machine to answer on another one: all but `places`.
    public var elsewhere: RunInputs {
        var inputs = self
        inputs.places = ""
        return inputs
    }

    /// Whether the evidence is of the present version.
    public var isCurrent: Bool { evidenceVersion == Self.currentEvidenceVersion }

    /// Whether everything is known.
    public var isWhole: Bool { toolchain != nil && dependencies != nil }
}
