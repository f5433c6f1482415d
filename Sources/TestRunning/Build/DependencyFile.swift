/// The files that a compiler has read, from the `make` rules that compilers write beside their objects.
enum DependencyFile {
    /// The files in the first rule, with duplicates. Further rules of a Swift compiler differ only in what they make.
    ///
    /// The Swift compiler escapes a blank, `#`, `:` and a backslash by a backslash (clang escapes fewer, which makes
    /// no difference for names without backslashes). A dollar is doubled, and a continued line ends with a backslash.
    /// A truncated file is read up to its end.
    ///
    /// - Parameter base: The folder in which the compiler ran: clang writes some paths relative to it.
    static func prerequisites(in text: UnsafeRawBufferPointer, relativeTo base: String) -> [[UInt8]] {
        var paths: [[UInt8]] = []
        var word: [UInt8] = []
        var isAfterColon = false
        let prefix = Array("\(base)/".utf8)
        func end() {
            defer { word.removeAll(keepingCapacity: true) }
            guard isAfterColon else {
                isAfterColon = word.last == colon
                return
            }
            if !word.isEmpty { paths.append(word.first == slash ? word : prefix + word) }
        }
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            let next = at + 1 < text.endIndex ? text[at + 1] : nil
            at += 1
            switch byte {
            case UInt8(ascii: "\n"):
                end()
                if isAfterColon { return paths }
            case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                end()
            case backslash:
                if next == UInt8(ascii: "\n") {
                    end()
                    at += 1
                } else if let next, escaped.contains(next) {
                    word.append(next)
                    at += 1
                } else {
                    word.append(byte)
                }
            case UInt8(ascii: "$"):
                word.append(byte)
                if next == byte { at += 1 }
            default:
                word.append(byte)
            }
        }
        end()
        return paths
    }

    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")
    private static let backslash = UInt8(ascii: "\\")
    private static let escaped = Array(" #:\\".utf8)
}
