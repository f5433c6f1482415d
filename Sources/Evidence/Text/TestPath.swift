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

/// An identity of Swift Testing's event stream: `Module.Suite/Nested/name()/File.swift:12:4`.
struct EventTestID: Hashable {
    /// Module, suites and name; without discriminator.
    var test: TestID
    /// The file, line and column of the declaration; empty for a suite.
    var place: String
    /// The identity as the stream writes it.
    let text: String

    /// Reads the identity of a function.
    init(function text: String) {
        self.text = text
        var parts = TestPath.split(text[...], at: UInt8(ascii: "/"))
        // What is left of the first slash still holds module and outermost part, parted by a dot.
        let first = TestPath.split(parts.first ?? "", at: UInt8(ascii: "."))
        let head = first.dropFirst().joined(separator: ".")
        if !parts.isEmpty { parts[0] = Substring(head) }
        place = parts.count > 1 ? String(parts.removeLast()) : ""
        let name = parts.popLast().map(String.init) ?? ""
        test = TestID(module: String(first.first ?? ""), suite: parts.joined(separator: "/"), name: name)
    }

    /// The file's name alone.
    var file: String { String(place.prefix { $0 != ":" }) }

    static func == (left: EventTestID, right: EventTestID) -> Bool {
        left.test == right.test && left.place.utf8.elementsEqual(right.place.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(test)
        hasher.combine(ByteText(place))
    }
}
