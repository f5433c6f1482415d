/// What the outcome of a run depends on besides the tested tree.
///
/// If the tree and all of this are the same, the tests need not run again. A run of a working copy has inputs too, by which shards
/// are compared; it answers for no tree.
public struct RunInputs: Sendable, Hashable, Codable {
    /// The version of the evidence; raised whenever it is collected differently or has another meaning.
    public static let currentEvidenceVersion = 1

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
    /// SHA-256 of the variables that the settings pass on to the tests.
    public var environment: String
    /// The settings that flags and variables can change.
    public var settings: String

    /// Makes inputs from their parts.
    public init(
        evidenceVersion: Int = Self.currentEvidenceVersion,
        toolchain: Toolchain? = nil,
        package: String? = nil,
        platform: String,
        dependencies: [String]? = nil,
        checkout: String,
        environment: String,
        settings: String
    ) {
        self.evidenceVersion = evidenceVersion
        self.toolchain = toolchain
        self.package = package
        self.platform = platform
        self.dependencies = dependencies
        self.checkout = checkout
        self.environment = environment
        self.settings = settings
    }

    /// Whether everything is known.
    public var isWhole: Bool { toolchain != nil && dependencies != nil }
}
