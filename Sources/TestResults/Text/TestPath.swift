import RunModel

/// Taking names of tests apart. In Swift any part may be a raw identifier, `` `a. b/c` ``, whose dots and slashes are its
/// own.
enum TestPath {
    /// Splits at every separator that is not between backticks.
    static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var isRaw = false
        let bytes = text.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "`") {
                isRaw.toggle()
            } else if byte == separator, !isRaw {
                parts.append(text[start..<index])
                start = bytes.index(after: index)
            }
            bytes.formIndex(after: &index)
        }
        parts.append(text[start...])
        return parts
    }

    /// The identity behind a class name such as `Module.Suite.Nested` and the name of a case.
    static func identity(className: String, name: String) -> TestID {
        let parts = split(className[...], at: UInt8(ascii: "."))
        return TestID(
            module: String(parts.first ?? ""), suite: parts.dropFirst().joined(separator: "/"), name: name
        )
    }
}
