extension ExportScanner {
    /// Takes a whole number of 0 or more; one past 2^64-1 becomes 2^64-1.
    @inline(__always)
    mutating func count(_ expected: StaticString) throws(Fault) -> UInt64 {
        if offset >= end || bytes[offset] <= 0x20 { _ = try peek(expected) }
        var value = UInt64(bytes[offset] &- UInt8(ascii: "0"))
        guard value <= 9 else { throw misfit(expected) }
        let first = offset
        offset &+= 1
        while offset < end {
            let digit = UInt64(bytes[offset] &- UInt8(ascii: "0"))
            guard digit <= 9 else { break }
            if offset &- first < 18 {
                value = value &* 10 &+ digit
            } else {
                let (product, over) = value.multipliedReportingOverflow(by: 10)
                let (sum, more) = product.addingReportingOverflow(digit)
                value = over || more ? .max : sum
            }
            offset &+= 1
        }
        guard bytes[first] != UInt8(ascii: "0") || offset &- first == 1 else {
            throw misfit("a number without a zero in front")
        }
        return value
    }

    /// Takes `true` or `false`.
    @inline(__always)
    mutating func flag(_ expected: StaticString) throws(Fault) -> Bool {
        if offset >= end || bytes[offset] <= 0x20 { _ = try peek(expected) }
        switch bytes[offset] {
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"):
            try literal("false")
            return false
        default: throw misfit(expected)
        }
        return true
    }

    private mutating func literal(_ word: StaticString) throws(Fault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < end, bytes[offset] == word.utf8Start[index] else { throw misfit("a value") }
            offset &+= 1
        }
    }

    /// Takes any number.
    @inline(__always)
    private mutating func skipNumber() throws(Fault) {
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let whole = offset
        try skipDigits()
        guard bytes[whole] != UInt8(ascii: "0") || offset - whole == 1 else {
            throw misfit("a number without a zero in front")
        }
        guard offset < end else { return }
        if bytes[offset] == UInt8(ascii: ".") {
            offset &+= 1
            try skipDigits()
        }
        if offset < end, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset &+= 1
            if offset < end, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
            try skipDigits()
        }
    }

    /// Takes one digit or more.
    @inline(__always)
    private mutating func skipDigits() throws(Fault) {
        let start = offset
        while offset < end, bytes[offset] &- UInt8(ascii: "0") <= 9 { offset += 1 }
        guard offset > start else { throw misfit("a digit") }
    }

    /// Takes a value of any kind. No recursion: what is open lies in the bits of one word.
    ///
    /// - Parameter depth: How many lists and objects are open around the value.
    mutating func skipValue(depth: Int) throws(Fault) {
        var depth = depth
        let outside = depth
        /// One bit for every open level, the innermost lowest: 1 for an object.
        var kinds: UInt64 = 0
        while true {
            if depth > outside, kinds & 1 == 0, end - offset > 1, bytes[offset] == .openBracket {
                let lists = skipNumberLists(depth: depth)
                depth += lists.opened
                kinds <<= UInt64(lists.opened)
                if lists.isBehindValue {
                    try close(until: outside, &depth, &kinds)
                    if depth == outside { return }
                    continue
                }
            }
            let byte = try peek("a value")
            switch byte {
            case .openBracket, .openBrace:
                guard depth < Self.maximumDepth else { throw fault(.tooDeep) }
                offset &+= 1
                let isObject = byte == .openBrace
                guard try takes(isObject ? .closeBrace : .closeBracket, "a value") else {
                    depth += 1
                    kinds = kinds << 1 | (isObject ? 1 : 0)
                    if isObject { try skipKey() }
                    continue
                }
            case .quote: _ = try string()
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                try skipNumber()
            case UInt8(ascii: "t"): try literal("true")
            case UInt8(ascii: "f"): try literal("false")
            case UInt8(ascii: "n"): try literal("null")
            default: throw misfit("a value")
            }
            try close(until: outside, &depth, &kinds)
            if depth == outside { return }
        }
    }

    /// Closes what ends behind a value, or takes what separates it from the next.
    @inline(__always)
    private mutating func close(until outside: Int, _ depth: inout Int, _ kinds: inout UInt64) throws(Fault) {
        while depth > outside {
            let isObject = kinds & 1 == 1
            if try continues(until: isObject ? .closeBrace : .closeBracket) {
                if isObject { try skipKey() }
                return
            }
            kinds >>= 1
            depth -= 1
        }
    }

    private mutating func skipKey() throws(Fault) {
        _ = try string("a name")
        try take(.colon, "':'")
    }
}
