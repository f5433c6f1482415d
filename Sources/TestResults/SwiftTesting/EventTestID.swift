import RunModel

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
        // The part before the first slash has the module and the outermost part, separated by a dot.
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
        left.test == right.test && Name(left.place) == Name(right.place)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(test)
        hasher.combine(Name(place))
    }
}
