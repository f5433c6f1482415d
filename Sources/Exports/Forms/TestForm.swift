public import RunModel

/// The identity of a test, for programs.
public struct TestForm: Sendable, Hashable, Codable {
    let module: String
    let suite: String
    let name: String
    /// Only where several tests of one name are told apart by their files.
    let file: String?
    /// What it is called for readers; left out where only the identity says it. Untrusted text.
    let title: String?

    /// Makes the form of an identity.
    public init(_ id: TestID, title: String? = nil) {
        module = id.module
        suite = id.suite
        name = id.name
        file = id.discriminator.isEmpty ? nil : id.discriminator
        self.title = title
    }
}
