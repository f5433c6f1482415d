/// The identity of a test case across runs, compared byte by byte.
///
/// Swift's `String` equates canonically equivalent spellings, so that two tests whose names differ only in
/// normalization form would become one. The compiler keeps them apart, and so does this type.
public struct TestID: Sendable, Codable {
    /// The test target (bundle), as the compiler names it (`c99name`).
    public let module: String
    /// The class or the nested suites joined by `/`; empty for a free function.
    public let suite: String
    /// The function as the library names it: `testDecode`, `plain()`, `` `raw name`() ``.
    public let name: String
    /// The file name, only where one suite holds two tests of the same name in different files; else empty.
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
}

extension TestID: Hashable {
    /// Equal when every part has the same UTF-8 bytes.
    public static func == (left: TestID, right: TestID) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
            && left.suite.utf8.elementsEqual(right.suite.utf8)
            && left.module.utf8.elementsEqual(right.module.utf8)
            && left.discriminator.utf8.elementsEqual(right.discriminator.utf8)
    }

    /// Feeds the UTF-8 bytes, so that equal means byte-equal here too.
    public func hash(into hasher: inout Hasher) {
        for part in [module, suite, name, discriminator] {
            var part = part
            part.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(0 as UInt8)
        }
    }
}

extension TestID: Comparable, CustomStringConvertible {
    /// `module.suite/name`.
    public var description: String {
        discriminator.isEmpty ? "\(module).\(qualifiedName)" : "\(module).\(qualifiedName) (\(discriminator))"
    }

    /// Orders by module, suite, name, then file, each by its UTF-8 bytes.
    public static func < (left: TestID, right: TestID) -> Bool {
        for (one, other) in [
            (left.module, right.module), (left.suite, right.suite),
            (left.name, right.name), (left.discriminator, right.discriminator),
        ] where !one.utf8.elementsEqual(other.utf8) {
            return one.utf8.lexicographicallyPrecedes(other.utf8)
        }
        return false
    }
}
