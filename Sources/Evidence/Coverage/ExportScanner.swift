/// Walks over the bytes of a JSON text: strict, in one pass, without a value for what is skipped.
///
/// Every read of a byte is preceded by a check against `end`; nothing here trusts the input. An offset never passes
/// `end`, which is why the inner loops may move it with operators that do not check for overflow.
struct ExportScanner {
    /// What went wrong at which offset; the line is only counted once somebody has to read it.
    struct Fault: Error {
        enum Reason {
            case truncated
            case syntax(expected: StaticString)
            case invalidText
            case tooDeep
            case unexpected(String)
            case tooMany(String, limit: Int)
            case coveredExceedsTotal(covered: Int, total: Int)
        }

        let reason: Reason
        let offset: Int
    }

    /// How deep values may be nested.
    static let maximumDepth = 32

    let bytes: UnsafeRawBufferPointer
    let end: Int
    /// The offset of the next byte.
    var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        end = bytes.count
    }

    @inline(never)
    func fault(_ reason: Fault.Reason) -> Fault { Fault(reason: reason, offset: offset) }

    /// The fault of a byte that does not fit: truncation at the end of the input, else a syntax error.
    @inline(never)
    func misfit(_ expected: StaticString) -> Fault {
        fault(offset < end ? .syntax(expected: expected) : .truncated)
    }

    /// Skips blanks and returns the next byte without taking it.
    @inline(__always)
    mutating func peek(_ expected: StaticString) throws(Fault) -> UInt8 {
        while offset < end {
            let byte = bytes[offset]
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { throw misfit(expected) }
            offset &+= 1
        }
        throw misfit(expected)
    }

    /// Takes one byte that has to come next, blanks aside.
    @inline(__always)
    mutating func take(_ byte: UInt8, _ expected: StaticString) throws(Fault) {
        if offset < end, bytes[offset] == byte {
            offset &+= 1
            return
        }
        guard try peek(expected) == byte else { throw misfit(expected) }
        offset &+= 1
    }

    /// Takes `byte` if it comes next, blanks aside.
    @inline(__always)
    mutating func takes(_ byte: UInt8, _ expected: StaticString) throws(Fault) -> Bool {
        guard try peek(expected) == byte else { return false }
        offset &+= 1
        return true
    }

    /// Takes what separates two elements, or what closes them; `true` when another element follows.
    @inline(__always)
    mutating func continues(until close: UInt8) throws(Fault) -> Bool {
        let byte = try peek("',' or the end of a list or object")
        if byte == .comma {
            offset &+= 1
            return true
        }
        guard byte == close else { throw misfit("',' or the end of a list or object") }
        offset &+= 1
        return false
    }

    /// Nothing but blanks may follow.
    mutating func finish() throws(Fault) {
        while offset < end {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset &+= 1
            default: throw misfit("the end of the export")
            }
        }
    }
}

extension ExportScanner.Fault {
    /// The public error, with the line counted.
    func located(in bytes: UnsafeRawBufferPointer) -> CoverageExportError {
        let line = bytes.prefix(offset).reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let position = CoverageExportError.Position(offset: offset, line: line)
        return switch reason {
        case .truncated: .truncated(at: position)
        case .syntax(let expected): .syntax(expected: "\(expected)", at: position)
        case .invalidText: .invalidText(at: position)
        case .tooDeep: .tooDeep(limit: ExportScanner.maximumDepth, at: position)
        case .unexpected(let what): .unexpected(what, at: position)
        case .tooMany(let what, let limit): .tooMany(what, limit: limit, at: position)
        case .coveredExceedsTotal(let covered, let total):
            .coveredExceedsTotal(covered: covered, total: total, at: position)
        }
    }
}

extension UInt8 {
    static var quote: UInt8 { 0x22 }
    static var comma: UInt8 { 0x2C }
    static var colon: UInt8 { 0x3A }
    static var backslash: UInt8 { 0x5C }
    static var openBracket: UInt8 { 0x5B }
    static var closeBracket: UInt8 { 0x5D }
    static var openBrace: UInt8 { 0x7B }
    static var closeBrace: UInt8 { 0x7D }
}
