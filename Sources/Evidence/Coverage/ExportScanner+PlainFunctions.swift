import Foundation

extension ExportScanner {
    /// Takes a function that is written as llvm-cov writes nearly all of them: no branches, one file, names without
    /// escapes, regions without blanks. `false`, with nothing taken, for others.
    ///
    /// The strict way reads the same and more; this one only spares it the names of members, which are half of what there
    /// is to look at.
    ///
    /// - Parameter depth: How many lists and objects are open.
    mutating func skipsPlainFunction(depth: Int) -> Bool {
        let start = offset
        if takesExactly("{\"branches\":[],\"count\":"), takesPlainCount(), takesExactly(",\"filenames\":[\""),
            takesPlainText(), takesExactly("],\"mcdc_records\":[],\"name\":\""), takesPlainText(),
            takesExactly(",\"regions\":["), takesNumberLists(depth: depth + 2), takesExactly("}")
        {
            return true
        }
        offset = start
        return false
    }

    @inline(__always)
    private mutating func takesExactly(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard end &- offset >= length, let base = bytes.baseAddress, memcmp(base + offset, text.utf8Start, length) == 0
        else { return false }
        offset &+= length
        return true
    }

    /// Takes a whole number.
    @inline(__always)
    private mutating func takesPlainCount() -> Bool {
        let first = offset
        while offset < end, bytes[offset] &- UInt8(ascii: "0") <= 9 { offset &+= 1 }
        return offset &- first == 1 || (offset > first && bytes[first] != UInt8(ascii: "0"))
    }

    /// Takes what is left of a string, of which the first quote is taken, and its last quote.
    @inline(__always)
    private mutating func takesPlainText() -> Bool {
        offset = behindPlainText(offset)
        guard offset < end, bytes[offset] == .quote else { return false }
        offset &+= 1
        return true
    }

    /// Takes what is left of a list that holds lists of numbers, of which the first bracket is taken.
    @inline(__always)
    private mutating func takesNumberLists(depth: Int) -> Bool {
        let lists = skipNumberLists(depth: depth)
        guard lists.opened == 0, lists.isBehindValue, offset < end, bytes[offset] == .closeBracket else { return false }
        offset &+= 1
        return true
    }
}
