import Evidence

/// Why a coverage export could not be read.
public struct CoverageExportError: Error, Sendable, Hashable {
    /// What kind of fault it is.
    public enum Kind: Sendable, Hashable {
        /// The bytes end before the export does.
        case truncated
        /// The bytes are not JSON, or not as expected at this place.
        case malformed
        /// A limit is exceeded.
        case tooMany
    }

    /// What kind of fault it is.
    public let kind: Kind
    /// A lower-case fragment.
    public let reason: String
    /// Where reading stopped, in bytes from 0.
    public let offset: Int
    /// The line of that byte, from 1.
    public let line: Int
    /// Where in its line the byte is, in bytes from 1.
    public let column: Int

    init(_ fault: JSONFault, in document: LentBytes) {
        let place = TextPosition(of: fault.offset, in: document)
        kind = fault.isTruncation ? .truncated : fault.isLimit ? .tooMany : .malformed
        reason = fault.reason
        offset = fault.offset
        line = place.line
        column = place.column
    }
}

extension CoverageExportError: CustomStringConvertible {
    /// The reason as a lower-case fragment, with the byte offset; the caller adds the line.
    public var description: String { "\(reason) (byte \(offset))" }
}
