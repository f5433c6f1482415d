/// A file that a test attached to its result.
public struct TestAttachment: Sendable, Hashable, Codable {
    /// The name that the test gave it; untrusted text.
    public var name: String
    /// Where it lies, relative to the run directory: its last part is the SHA-256 of the file.
    public var path: String
    /// Size in bytes.
    public var bytes: Int

    package init(name: String, path: String, bytes: Int) { (self.name, self.path, self.bytes) = (name, path, bytes) }

    /// SHA-256 of the file, lower-case hexadecimal.
    public var sha256: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The media type by its name, from those that no browser executes; anything else is plain bytes.
    public var mediaType: String {
        let ending = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst().last
        switch ending.map({ String(decoding: $0, as: UTF8.self).lowercased() }) {
        case "png": return "image/png"
        case "jpg", "jpeg": return "image/jpeg"
        case "txt", "log": return "text/plain; charset=utf-8"
        default: return "application/octet-stream"
        }
    }
}

extension TestAttachment: Comparable {
    /// By name, and where that is the same by content.
    public static func < (left: TestAttachment, right: TestAttachment) -> Bool {
        (Name(left.name), Name(left.path)) < (Name(right.name), Name(right.path))
    }
}
