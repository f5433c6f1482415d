/// Why a coverage export could not be read.
public enum CoverageExportError: Error, Sendable, Hashable {
    /// A place in the bytes of an export.
    public struct Position: Sendable, Hashable {
        /// Counted in bytes from 0.
        public let offset: Int
        /// Counted from 1.
        public let line: Int
    }

    /// The bytes end before the export does.
    case truncated(at: Position)
    /// The bytes are not JSON: something else was expected at this place.
    case syntax(expected: String, at: Position)
    /// A string holds bytes that are not UTF-8, a raw control character or an escape that does not exist.
    case invalidText(at: Position)
    /// Values are nested deeper than any export nests them.
    case tooDeep(limit: Int, at: Position)
    /// The JSON is sound, but not what an export holds at this place.
    case unexpected(String, at: Position)
    /// There is more of something than any real export has.
    case tooMany(String, limit: Int, at: Position)
    /// More is said to be covered than there is.
    case coveredExceedsTotal(covered: Int, total: Int, at: Position)

    /// Where reading stopped.
    public var position: Position {
        switch self {
        case .truncated(let position), .syntax(_, let position), .invalidText(let position),
            .tooDeep(_, let position), .unexpected(_, let position), .tooMany(_, _, let position),
            .coveredExceedsTotal(_, _, let position):
            position
        }
    }

    /// What may help.
    public var hint: String? {
        switch self {
        case .truncated: "run again; the export was cut short, perhaps by a full disk"
        case .unexpected: "export with the llvm-cov of the Swift toolchain: llvm-cov export -format=text"
        default: nil
        }
    }
}

extension CoverageExportError: CustomStringConvertible {
    /// The reason as a lower-case fragment, with the byte offset; the line is for the caller to put in front.
    public var description: String {
        let reason =
            switch self {
            case .truncated: "the export ends before its end"
            case .syntax(let expected, _): "not JSON: \(expected) expected"
            case .invalidText: "a string is not valid JSON text"
            case .tooDeep(let limit, _): "values are nested deeper than \(limit)"
            case .unexpected(let what, _): what
            case .tooMany(let what, let limit, _): "more than \(limit) \(what)"
            case .coveredExceedsTotal(let covered, let total, _): "\(covered) covered of \(total)"
            }
        return "\(reason) (byte \(position.offset))"
    }
}
