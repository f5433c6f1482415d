/// The choices that change how SwiftPM builds a package: traits, a sanitizer, compiler flags.
public struct BuildChoice: Sendable, Hashable, Codable {
    /// Runtime checks that the compiler puts in.
    public enum Sanitizer: String, Sendable, Hashable, Codable, CaseIterable {
        /// None.
        case none
        /// Memory that is used outside of its bounds or life (AddressSanitizer).
        case address
        /// Memory that threads use at the same time without an order (ThreadSanitizer).
        case thread
    }

    /// The traits that are enabled; those of the package's default only if `defaults` is among them. Empty for the default.
    public var traits: [String]
    /// The runtime checks.
    public var sanitizer: Sanitizer
    /// Flags for the Swift compiler.
    public var swiftFlags: [String]

    /// Makes a choice from its parts.
    public init(traits: [String] = [], sanitizer: Sanitizer = .none, swiftFlags: [String] = []) {
        (self.traits, self.sanitizer, self.swiftFlags) = (traits, sanitizer, swiftFlags)
    }

    /// Whether nothing is chosen, so that SwiftPM builds as by default.
    public var isUsual: Bool { self == BuildChoice() }

    /// The words that name the traits; `swift package` takes them too.
    public var traitArguments: [String] { traits.isEmpty ? [] : ["--traits", traits.joined(separator: ",")] }

    /// The arguments of `swift build` and `swift test`.
    public var arguments: [String] {
        traitArguments + (sanitizer == .none ? [] : ["--sanitize", sanitizer.rawValue])
            + swiftFlags.flatMap { ["-Xswiftc", $0] }
    }
}
