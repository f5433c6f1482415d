extension ExportScanner {
    /// What `skipNumberLists` did.
    struct NumberLists {
        /// How many lists it left open.
        var opened = 0
        /// Whether a list was closed last; else a value is expected.
        var isBehindValue = false
    }

    /// Takes lists of whole numbers, nested as they may be, eight bytes at a time: the regions of functions, which are most
    /// of an export.
    ///
    /// It begins where a list expects a value and never leaves that list. Whether a byte may follow the one before is told
    /// for all eight at once. It stops at the first byte that is anything else or out of place, goes back to where that
    /// value began, and leaves it to the strict way to say what is wrong.
    ///
    /// - Parameter depth: How many lists and objects are open.
    mutating func skipNumberLists(depth: Int) -> NumberLists {
        let start = offset
        var at = offset
        var open = 1
        // As if behind a comma: an empty list is none of these.
        var before = Kinds(comma: 1 << 63)
        while end &- at >= 8 {
            var kinds = Kinds(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            let stops = kinds.misplaced(behind: before)
            let (opening, closing) = (Kinds.count(kinds.open), Kinds.count(kinds.close))
            if stops == 0, closing < open, depth &+ open &+ opening <= Self.maximumDepth {
                open &+= opening &- closing
                at &+= 8
                before = kinds
                continue
            }
            var taken = 0
            while taken < stops.trailingZeroBitCount / 8 {
                let byte = bytes[at &+ taken]
                if byte == .openBracket {
                    if depth &+ open > Self.maximumDepth { break }
                    open &+= 1
                } else if byte == .closeBracket {
                    if open == 1 { break }
                    open &-= 1
                }
                taken &+= 1
            }
            at &+= taken
            break
        }
        guard at > start else { return NumberLists() }
        switch bytes[at &- 1] {
        case .closeBracket:
            offset = at
            return NumberLists(opened: open &- 1, isBehindValue: true)
        case .openBracket:
            // It may be empty.
            at &-= 1
            open &-= 1
        case .comma: break
        default:
            while at > start, bytes[at &- 1] &- UInt8(ascii: "0") <= 9 { at &-= 1 }
        }
        offset = at
        return NumberLists(opened: open &- 1)
    }
}

/// Which of eight bytes are what: the highest bit of each byte tells.
private struct Kinds {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

    var digit: UInt64 = 0
    var zero: UInt64 = 0
    var comma: UInt64 = 0
    var open: UInt64 = 0
    var close: UInt64 = 0

    init(comma: UInt64) { self.comma = comma }

    @inline(__always)
    init(_ word: UInt64) {
        let digits = word ^ (Self.ones &* 0x30)
        // Adding 0x76 sets the highest bit of what is above 9, and never carries.
        digit = ~(((digits & Self.lows) &+ (Self.ones &* 0x76)) | digits) & ~Self.lows
        zero = Self.zeros(digits)
        comma = Self.zeros(word ^ (Self.ones &* UInt64(UInt8.comma)))
        open = Self.zeros(word ^ (Self.ones &* UInt64(UInt8.openBracket)))
        close = Self.zeros(word ^ (Self.ones &* UInt64(UInt8.closeBracket)))
    }

    /// How many bytes are marked; the sum of all bytes comes to lie in the highest.
    @inline(__always)
    static func count(_ marks: UInt64) -> Int { Int(truncatingIfNeeded: ((marks >> 7) &* ones) >> 56) }

    /// The bytes that are zero; exact for each of them.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { ~(((word & lows) &+ lows) | word) & ~lows }

    /// The bytes that may not follow the byte before, or are none of these kinds.
    ///
    /// - Parameter before: The eight bytes before, of which the last counts. Its zeros are those that begin a number.
    @inline(__always)
    mutating func misplaced(behind before: Kinds) -> UInt64 {
        let afterDigit = digit << 8 | before.digit >> 56
        let afterComma = comma << 8 | before.comma >> 56
        let afterOpen = open << 8 | before.open >> 56
        let afterClose = close << 8 | before.close >> 56
        zero &= ~afterDigit
        let afterZero = zero << 8 | before.zero >> 56
        let known = digit | comma | open | close
        return (~known & ~Self.lows) | (comma & (afterComma | afterOpen)) | (close & afterComma)
            | (open & (afterDigit | afterClose)) | (digit & (afterClose | afterZero))
    }
}
