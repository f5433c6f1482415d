/// The identity of a test case across runs, compared byte by byte.
///
/// Swift's `String` equates canonically equivalent spellings, so that two tests whose names differ only in
/// normalization form would become one. The compiler keeps them apart, and so does this type.
public struct TestID: Sendable, Codable {
    /// The test target (bundle), as the compiler names it (`c99name`).
    public let module: String
    /// The class or the nested suites joined by `/`; empty for a free function.
    public let suite: String
    /// The function, by its name in the library: `testDecode`, `plain()`, `` `raw name`() ``.
    public let name: String
    /// The file name, only if one suite has two tests of the same name in different files; else empty.
    public let discriminator: String

    /// Makes an identity from its parts.
    public init(module: String, suite: String, name: String, discriminator: String = "") {
        self.module = module
        self.suite = suite
        self.name = name
        self.discriminator = discriminator
    }

    /// `suite/name`, or the name alone for a free function.
    public var qualifiedName: String { suite.isEmpty ? name : "\(suite)/\(name)" }

    /// The identity that it has where no other test has its name: a test gets and loses its discriminator by what is done to another one.
    public var withoutDiscriminator: TestID { TestID(module: module, suite: suite, name: name) }
}

extension TestID: Hashable {
    /// Equal when every part has the same UTF-8 bytes.
    public static func == (left: TestID, right: TestID) -> Bool {
        Name(left.name) == Name(right.name) && Name(left.suite) == Name(right.suite)
            && Name(left.module) == Name(right.module) && Name(left.discriminator) == Name(right.discriminator)
    }

    /// Hashes the UTF-8 bytes, to match `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Name(module))
        hasher.combine(Name(suite))
        hasher.combine(Name(name))
        hasher.combine(Name(discriminator))
    }
}

extension TestID: Comparable, CustomStringConvertible {
    /// `module.suite/name`.
    public var description: String {
        discriminator.isEmpty ? "\(module).\(qualifiedName)" : "\(module).\(qualifiedName) (\(discriminator))"
    }

    /// Orders by module, suite, name, then file, each by its UTF-8 bytes.
    public static func < (left: TestID, right: TestID) -> Bool {
        var order = Name.order(left.module, right.module)
        if order == 0 { order = Name.order(left.suite, right.suite) }
        if order == 0 { order = Name.order(left.name, right.name) }
        if order == 0 { order = Name.order(left.discriminator, right.discriminator) }
        return order < 0
    }
}
