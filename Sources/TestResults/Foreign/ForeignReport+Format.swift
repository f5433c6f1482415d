import CodeCoverage
public import Evidence

extension ForeignReport {
    /// The formats that can be told apart.
    public enum Format: CaseIterable, Sendable {
        /// JUnit's XML, in all dialects.
        case xunit
        /// Swift Testing's event stream.
        case eventStream
        /// The JSON export of llvm-cov.
        case coverageExport
        /// Cobertura's XML.
        case cobertura
        /// LCOV's tracefile.
        case lcov

        /// What people call it.
        public var name: String {
            switch self {
            case .xunit: "JUnit XML"
            case .eventStream: "Swift Testing's event stream"
            case .coverageExport: "llvm-cov JSON"
            case .cobertura: "Cobertura"
            case .lcov: "LCOV"
            }
        }
    }

    /// In how many bytes at the beginning the format has to show.
    private static let lookedAt = 1 << 20
    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    /// The format, by the first characters; extensions say nothing. Whether a file is sound is for its reader to say.
    public func format() throws(EvidenceError) -> Format {
        try lent { document throws(EvidenceError) in
            try format(of: UnsafeBufferPointer(rebasing: document.bytes.prefix(Self.lookedAt)))
        }
    }

    private func format(of bytes: UnsafeBufferPointer<UInt8>) throws(EvidenceError) -> Format {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw .malformed(file: path, line: 1, column: 1, reason: "the encoding is UTF-16, and not UTF-8")
        }
        guard let first = bytes.firstIndex(where: { !Self.blanks.contains($0) }) else {
            guard bytes.count < Self.lookedAt else { throw .unknownFormat(file: path) }
            throw .truncated(file: path, line: 1, reason: "the file is empty")
        }
        let format: Format? =
            switch bytes[first] {
            case UInt8(ascii: "<"):
                Self.rootElement(bytes[first...]).elementsEqual("coverage".utf8) ? .cobertura : .xunit
            case UInt8(ascii: "{"): Self.jsonFormat(UnsafeBufferPointer(rebasing: bytes[first...]))
            default: LCOVReader.isRecord(Self.firstLine(bytes[first...])) ? .lcov : nil
            }
        guard let format else { throw .unknownFormat(file: path) }
        return format
    }

    /// The first line that is neither empty nor a comment.
    private static func firstLine(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        var rest = bytes
        while rest.first == UInt8(ascii: "#") {
            rest = rest.drop { $0 != 0x0A && $0 != 0x0D }.drop { blanks.contains($0) }
        }
        return rest.prefix { $0 != 0x0A && $0 != 0x0D }
    }

    /// The format of JSON, by the members of its first object, which come in any order. Both formats have a `version`.
    private static func jsonFormat(_ bytes: UnsafeBufferPointer<UInt8>) -> Format? {
        var cursor = JSONCursor(bytes)
        var (format, hasVersion): (Format?, Bool) = (nil, false)
        let isWhole: Void? = try? cursor.object { cursor, key throws(JSONFault) in
            switch key {
            case "kind", "payload": format = .eventStream
            case "data", "type": format = .coverageExport
            case "version": hasVersion = true
            default: break
            }
            // What follows may be longer than what is looked at.
            if format != nil { throw cursor.fault("the rest does not matter") }
            try cursor.skip()
        }
        // A record of a stream that is cut short may have no more than its version; a whole object is of another kind.
        return format ?? (hasVersion && isWhole == nil ? .eventStream : nil)
    }

    /// The local name of the first element: behind the declaration, comments and the document type. Whether the document is
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
                let name = rest.prefix { !blanks.contains($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
                guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return name }
                return name[(colon + 1)...]
            }
        }
        return rest.prefix(0)
    }
}
