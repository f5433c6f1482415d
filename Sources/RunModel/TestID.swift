import Foundation

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
}

extension TestID: Hashable {
    /// Equal when every part has the same UTF-8 bytes.
    public static func == (left: TestID, right: TestID) -> Bool {
        byteOrder(left.name, right.name) == 0
            && byteOrder(left.suite, right.suite) == 0
            && byteOrder(left.module, right.module) == 0
            && byteOrder(left.discriminator, right.discriminator) == 0
    }

    /// Hashes the UTF-8 bytes, to match `==`.
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
        var order = byteOrder(left.module, right.module)
        if order == 0 { order = byteOrder(left.suite, right.suite) }
        if order == 0 { order = byteOrder(left.name, right.name) }
        if order == 0 { order = byteOrder(left.discriminator, right.discriminator) }
        return order < 0
    }
}

/// The order of two texts by their UTF-8 bytes: below, equal to or above 0. Hundreds of thousands of names are sorted.
private func byteOrder(_ left: String, _ right: String) -> Int {
    let order = left.utf8.withContiguousStorageIfAvailable { one in
        right.utf8.withContiguousStorageIfAvailable { other in
            var order: Int32 = 0
            if let start = one.baseAddress, let otherStart = other.baseAddress {
                order = memcmp(start, otherStart, min(one.count, other.count))
            }
            return order == 0 ? one.count - other.count : Int(order)
        }
    }
    if let order = order ?? nil { return order }
    return left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
}
