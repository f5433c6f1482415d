/// A report that some other runner left: its name, for messages, and what is in it.
public struct ForeignReport: Sendable {
    /// Where its content is.
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
    init(path: String, copy: String) {
        self.path = path
        content = .file(copy)
    }

    /// Lends its bytes.
    func lent<Result>(
        _ body: (LentBytes) throws(EvidenceError) -> Result
    ) throws(EvidenceError) -> Result {
        switch content {
        case .bytes(let bytes): try bytes.lent(body)
        case .file(let file): try FileBytes.mapped(file, limit: RunDirectory.fileLimit, body)
        }
    }

    /// The formats that can be told apart.
    enum Format: CaseIterable {
        case xunit, eventStream, coverageExport, cobertura, lcov
    }

    /// In so many bytes at its beginning the format has to show.
    private static let lookedAt = 1 << 20

    /// The format, by the first characters; extensions say nothing.
    func format() throws(EvidenceError) -> Format {
        try lent { document throws(EvidenceError) in
            try format(of: UnsafeBufferPointer(rebasing: document.bytes.prefix(Self.lookedAt)))
        }
    }

    private func format(of bytes: UnsafeBufferPointer<UInt8>) throws(EvidenceError) -> Format {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let first = bytes[start...].firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            guard bytes.count < Self.lookedAt else { throw .unknownFormat(file: path) }
            throw .truncated(file: path, line: 1, reason: "the file is empty")
        }
        if bytes[first] == UInt8(ascii: "<") {
            return Self.rootElement(bytes[first...]).elementsEqual("coverage".utf8) ? .cobertura : .xunit
        }
        for key in ["TN:", "SF:"] where bytes[first...].starts(with: key.utf8) { return .lcov }
        guard bytes[first] == UInt8(ascii: "{") else { throw .unknownFormat(file: path) }
        let head = bytes[first...].dropFirst().drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        for key in ["\"kind\"", "\"payload\"", "\"version\""] where head.starts(with: Array(key.utf8)) {
            return .eventStream
        }
        for key in ["\"data\"", "\"type\""] where head.starts(with: Array(key.utf8)) { return .coverageExport }
        throw .unknownFormat(file: path)
    }

    /// The name of the first element: behind the declaration, comments and the document type. Whether the document is
    /// sound is for its reader to say.
    private static func rootElement(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                rest = rest.dropFirst(3)
                while let first = rest.first, !rest.starts(with: "-->".utf8) {
                    rest = first == UInt8(ascii: "-") ? rest.dropFirst() : rest.drop { $0 != UInt8(ascii: "-") }
                }
            } else if rest.first != UInt8(ascii: "?"), rest.first != UInt8(ascii: "!") {
                return rest.prefix { ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">"), UInt8(ascii: "/")].contains($0) }
            }
        }
        return rest.prefix(0)
    }
}
