/// The files that a compiler has read, from the `make` rules that compilers write beside their objects.
enum DependencyFile {
    /// The paths in the rules, with duplicates; `nil` if one is relative, because its base is unknown.
    ///
    /// The Swift compiler escapes a blank, `#`, `:` and a backslash by a backslash (clang escapes fewer, which makes
    /// no difference for names without backslashes). A dollar is doubled, and a continued line ends with a backslash.
    /// A truncated file is read up to its end.
    static func paths(in text: [UInt8]) -> [[UInt8]]? {
        var paths: [[UInt8]] = []
        var word: [UInt8] = []
        /// Takes a word; a relative one is only allowed as the name of a rule.
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
