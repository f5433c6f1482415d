/// A report that some other runner left: its name, for messages, and what is in it.
public struct ForeignReport: Sendable {
    private enum Content {
        /// At hand.
        case bytes([UInt8])
        /// In a file that nobody changes.
        case file(String)
    }

    /// The path as the user gave it.
    public let path: String
    private let content: Content

    /// Names a report whose bytes are at hand.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        content = .bytes(bytes)
    }

    /// Names a report that lies in a file which nobody changes.
    package init(path: String, copy: String) {
        self.path = path
        content = .file(copy)
    }

    /// Lends its bytes, without a byte order mark.
    package func lent<Result>(
        _ body: (LentBytes) throws(EvidenceError) -> Result
    ) throws(EvidenceError) -> Result {
        func unmarked(_ document: LentBytes) throws(EvidenceError) -> Result {
            guard document.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return try body(document) }
            return try body(
                LentBytes(UnsafeBufferPointer(rebasing: document.bytes[3...])) { document.release($0 + 3) })
        }
        switch content {
        case .bytes(let bytes): return try bytes.lent(unmarked)
        case .file(let file): return try FileBytes.mapped(file, limit: RunDirectory.fileLimit, unmarked)
        }
    }
}
