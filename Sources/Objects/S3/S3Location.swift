import Evidence

/// A bucket, and a folder in it: `s3://BUCKET/PREFIX`.
public struct S3Location: Sendable, Hashable, CustomStringConvertible {
    /// The longest prefix, in bytes: with the longest key it stays below what S3 takes.
    private static let longestPrefix = 300

    /// The bucket.
    public let bucket: String
    /// The folder of all objects; `nil` for the bucket itself.
    public let prefix: ObjectKey?

    /// As it is written.
    public var description: String { "s3://\(bucket)" + (prefix.map { "/\($0)" } ?? "") }

    /// Reads a location.
    ///
    /// - Throws: `ObjectError` of kind `.settings`.
    public init(_ text: String) throws(ObjectError) {
        let scheme = "s3://"
        guard text.utf8.starts(with: scheme.utf8) else {
            throw ObjectError(.settings, "it is no location such as s3://bucket/prefix")
        }
        let parts = String(text.dropFirst(scheme.count)).pathParts(omittingEmpty: false)
        let bucket = String(parts.first ?? "")
        guard (3...63).contains(bucket.utf8.count), !bucket.contains(".."),
            bucket.utf8.allSatisfy({ $0.isLetterOrDigit || "-._".utf8.contains($0) }),
            bucket.utf8.first?.isLetterOrDigit == true, bucket.utf8.last?.isLetterOrDigit == true
        else {
            throw ObjectError(
                .settings, "no bucket has such a name", hint: "3 to 63 letters, digits, '-', '.' and '_' of ASCII")
        }
        self.bucket = bucket
        // A slash at the end says the same as none.
        let rest = parts.dropFirst().joined(separator: "/")
        let path = rest.utf8.last == UInt8(ascii: "/") ? String(rest.dropLast()) : rest
        guard !path.isEmpty else {
            self.prefix = nil
            return
        }
        guard path.utf8.count <= Self.longestPrefix, let prefix = ObjectKey(path) else {
            throw ObjectError(
                .settings, "nothing can lie below such a prefix",
                hint: "parts of at most 250 bytes between slashes, which do not begin with a dot; 300 bytes in all")
        }
        self.prefix = prefix
    }

    /// The name of an object in the bucket.
    func name(of key: String) -> String { prefix.map { "\($0)/\(key)" } ?? key }
}

extension UInt8 {
    /// Whether it is a letter or a digit of ASCII.
    var isLetterOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
