/// A file that a test attached: kept in `attachments/<sha256>`, or left out.
public struct KeptAttachment: Sendable, Hashable, Codable {
    /// The folder of its pass and the name that Swift Testing gave the file there: `pass-1/log.txt`; untrusted text.
    public var file: String
    /// Size in bytes; 0 for what is no file.
    public var bytes: Int
    /// SHA-256, lower-case hexadecimal; also its name under `attachments/`. Absent if it was left out.
    public var sha256: String?
    /// Why it was left out.
    public var reason: String?

    package init(file: String, bytes: Int, sha256: String? = nil, reason: String? = nil) {
        self.file = file
        self.bytes = bytes
        self.sha256 = sha256
        self.reason = reason
    }
}
