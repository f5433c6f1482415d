/// A report that some other runner left: its name, for messages, and its bytes.
public struct ForeignReport: Sendable, Hashable {
    /// The path as the user gave it.
    public var path: String
    /// What is in it.
    public var bytes: [UInt8]

    /// Names a report whose bytes are at hand.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Reads a report from a file.
    public init(reading path: String) throws(EvidenceError) {
        guard let bytes = try FileBytes.read(path, limit: RunDirectory.fileLimit) else {
            throw .unreadable(path: path, reason: "there is no such file")
        }
        self.init(path: path, bytes: bytes)
    }

    /// The formats that can be told apart.
    enum Format: CaseIterable {
        case xunit, eventStream, coverageExport
    }

    /// The format, by the first characters; extensions say nothing.
    func format() throws(EvidenceError) -> Format {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let first = bytes[start...].firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw .truncated(file: path, line: 1, reason: "the file is empty")
        }
        if bytes[first] == UInt8(ascii: "<") { return .xunit }
        guard bytes[first] == UInt8(ascii: "{") else { throw .unknownFormat(file: path) }
        let head = bytes[first...].dropFirst().drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        for key in ["\"kind\"", "\"payload\"", "\"version\""] where head.starts(with: Array(key.utf8)) {
            return .eventStream
        }
        for key in ["\"data\"", "\"type\""] where head.starts(with: Array(key.utf8)) { return .coverageExport }
        throw .unknownFormat(file: path)
    }
}
