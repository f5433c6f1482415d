/// What a compiler said it read: the rules for `make` that SwiftPM has compilers write beside their objects.
enum DependencyFile {
    /// The paths in the rules, as often as they stand there; `nil` where one is relative, and it is not known to what.
    ///
    /// A backslash stands before a blank, `#`, `:` and another backslash, as the Swift compiler has it (clang leaves some of
    /// them alone, which is the same for names without backslashes); a dollar is doubled, a line that goes on ends with a
    /// backslash. What is cut short is read as far as it goes.
    static func paths(in text: [UInt8]) -> [[UInt8]]? {
        var paths: [[UInt8]] = []
        var word: [UInt8] = []
        /// Takes the word that ended; a relative one may only name a rule.
        func end() -> Bool {
            defer { word.removeAll(keepingCapacity: true) }
            if word.first == slash { paths.append(word) }
            return word.isEmpty || word.first == slash || word.last == colon || word == [backslash]
        }
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            let next = at + 1 < text.endIndex ? text[at + 1] : nil
            at += 1
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                guard end() else { return nil }
            case backslash:
                guard let next, escaped.contains(next) else { word.append(byte); continue }
                word.append(next)
                at += 1
            case UInt8(ascii: "$"):
                word.append(byte)
                if next == byte { at += 1 }
            default:
                word.append(byte)
            }
        }
        return end() ? paths : nil
    }

    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")
    private static let backslash = UInt8(ascii: "\\")
    private static let escaped = Array(" #:\\".utf8)
}
