/// What a compiler said it read: the rules for `make` that SwiftPM has compilers write beside their objects.
enum DependencyFile {
    /// The absolute paths in the rules, as often as they stand there.
    ///
    /// Compilers write a backslash before a blank, `#`, `:` and another backslash, and a dollar twice; a line that goes on
    /// ends with a backslash. What is cut short is read as far as it goes.
    static func paths(in text: [UInt8]) -> [[UInt8]] {
        var paths: [[UInt8]] = []
        var word: [UInt8] = []
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            let next = at + 1 < text.endIndex ? text[at + 1] : nil
            at += 1
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                if word.first == slash { paths.append(word) }
                word.removeAll(keepingCapacity: true)
            case UInt8(ascii: "\\"):
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
        if word.first == slash { paths.append(word) }
        return paths
    }

    private static let slash = UInt8(ascii: "/")
    private static let escaped = Array(" #:\\".utf8)
}
