import Foundation

/// A name as an identity: two names are the same only if every byte is.
///
/// A `String` would not do: to Swift the two normalization forms of `ガ.swift` are one text, to the file system and the
/// compiler they are two. So tests, modules, files, branches and projects are looked up, compared and ordered by this.
public struct Name: Sendable, Hashable, Comparable {
    /// The name as text.
    public let text: String

    /// Makes a name of a text.
    public init(_ text: String) { self.text = text }

    /// Makes a name of a part of a text.
    public init(_ text: Substring) { self.init(String(text)) }

    /// Equal when every byte is.
    public static func == (left: Name, right: Name) -> Bool { order(left.text, right.text) == 0 }

    /// Ordered by the bytes in UTF-8.
    public static func < (left: Name, right: Name) -> Bool { order(left.text, right.text) < 0 }

    /// The order of two texts by their bytes: below, equal to or above 0. Hundreds of thousands of names are sorted, so they are
    /// compared as memory is.
    static func order(_ left: String, _ right: String) -> Int {
        let order = left.utf8.withContiguousStorageIfAvailable { one in
            right.utf8.withContiguousStorageIfAvailable { other in
                var order: Int32 = 0
                // An empty text may have no address.
                if let start = one.baseAddress, let otherStart = other.baseAddress {
                    order = memcmp(start, otherStart, min(one.count, other.count))
                }
                return order == 0 ? one.count - other.count : Int(order)
            }
        }
        if let order = order ?? nil { return order }
        return left.utf8.elementsEqual(right.utf8) ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    /// Feeds the bytes and an end, so that the boundaries of several in a row count.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
