/// What the outcome of a run depends on beside the tree that was tested.
///
/// Where the tree and all of this are the same, the tests need not be run again. Only a run of an exact tree has it: what
/// lies about in a working copy is no part of any tree.
public struct RunInputs: Sendable, Hashable, Codable {
    /// The version of what a run establishes; raised whenever evidence is taken in another way or means something else.
    public static let currentEvidenceVersion = 1

    /// The version of what the run established.
    public var evidenceVersion: Int
    /// The compiler and tools; `nil` while nobody has asked them.
    public var toolchain: Toolchain?
    /// The operating system and the processor's architecture.
    public var platform: String
    /// The dependencies as `identity location version`, in order; `nil` where they are not known, or can change unseen.
    public var dependencies: [String]?
    /// SHA-256 of what git applies to files as it lays them out: filters and line ends.
    public var checkout: String
    /// SHA-256 of the variables that the settings pass on to the tests.
    public var environment: String
    /// The settings that flags and variables can change.
    public var settings: String

    /// Makes inputs from their parts.
    public init(
        evidenceVersion: Int = Self.currentEvidenceVersion,
        toolchain: Toolchain? = nil,
        platform: String,
        dependencies: [String]? = nil,
        checkout: String,
        environment: String,
        settings: String
    ) {
        self.evidenceVersion = evidenceVersion
        self.toolchain = toolchain
        self.platform = platform
        self.dependencies = dependencies
        self.checkout = checkout
        self.environment = environment
        self.settings = settings
    }

    /// Whether everything is known.
    public var isWhole: Bool { toolchain != nil && dependencies != nil }
}
