import Evidence
public import RunModel

/// The name of an object: parts between slashes, such as `blobs/ab/abcd`. Identity and order are those of its bytes.
///
/// What may be a key may also be the path of a file below a folder and a path in an address, so that every store takes every key
/// and none leads out of it.
public struct ObjectKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The longest key, in bytes. S3 takes 1024 with the prefix of the store before it.
    public static let longest = 700
    /// The longest part, in bytes. File systems take 255.
    private static let longestPart = 250

    /// The key as a name.
    public let name: Name
    /// The key as text.
    public var text: String { name.text }
    /// The key as text.
    public var description: String { text }

    /// Takes a text for a key.
    ///
    /// - Returns: `nil` for one that is empty or too long, has control characters, a part that is empty or too long, or one that
    ///   begins with a dot: such are `..` and the files that a store keeps for itself.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
            text.pathParts(omittingEmpty: false).allSatisfy({ part in
                !part.isEmpty && part.utf8.first != UInt8(ascii: ".") && part.utf8.count <= Self.longestPart
            })
        else { return nil }
        name = Name(text)
    }

    /// Ordered by the bytes, as every store lists them.
    public static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.name < right.name }
}
