import Evidence

/// What an element of a report means, wherever it stands.
enum XUnitElement: Equatable {
    case suite, testCase, problem
    /// A failure after which the test was executed again: it passed at last, or it never did.
    case flake, rerun
    case skipped, output
    /// Facts, which never say what became of a test; nor does anything in them.
    case property
    /// Nobody knows what: directly in a case or a suite, or within others of this kind.
    case stranger
    case other

    /// Whether its text is kept by itself.
    var hasText: Bool { [.problem, .flake, .rerun, .skipped].contains(self) }

    /// The meaning of a name. XML tells upper from lower case, but what a writer means by `<Failure>` is no other thing.
    init(_ name: XMLBytes) {
        self = Self.meaning(of: name)
        let isUpper = { (byte: UInt8) in (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        if self == .other, name.contains(where: isUpper) {
            let lower = name.map { isUpper($0) ? $0 | 0x20 : $0 }
            self = lower.withUnsafeBufferPointer { Self.meaning(of: $0) }
        }
    }

    /// What an element is that JUnit does not have, in a case or a suite and not within a text.
    static func foreign(_ name: XMLBytes) -> XUnitElement {
        name.count <= 16 && facts.contains(String(decoding: name, as: UTF8.self).lowercased()) ? .property : .stranger
    }

    /// What some writers add to the elements of JUnit. LuaUnit writes `passed` into every test that has.
    private static let facts: Set<String> = [
        "attachment", "attachments", "categories", "category", "description", "label", "labels", "link", "links",
        "metadata", "output", "passed", "std-err", "std-out", "stderr", "stdout", "tag", "tags", "trait", "traits",
    ]

    private static func meaning(of name: XMLBytes) -> XUnitElement {
        // The length decides most: this is called for every element.
        switch name.count {
        case 4: name.equals("skip") ? .skipped : name.equals("fail") ? .problem : .other
        case 5: name.equals("error") ? .problem : .other
        case 6: name.equals("failed") ? .problem : .other
        case 7:
            name.equals("failure") || name.equals("aborted") || name.equals("crashed") || name.equals("timeout")
                ? .problem
                : name.equals("skipped") || name.equals("ignored") || name.equals("pending") ? .skipped : .other
        case 8:
            name.equals("testcase")
                ? .testCase : name.equals("property") ? .property : name.equals("disabled") ? .skipped : .other
        case 9: name.equals("testsuite") ? .suite : .other
        case 10:
            name.equals("testsuites")
                ? .suite
                : name.equals("system-out") || name.equals("system-err")
                    ? .output
                    : name.equals("properties")
                        ? .property
                        : name.equals("flakyerror") ? .flake : name.equals("rerunerror") ? .rerun : .other
        case 12: name.equals("flakyfailure") ? .flake : name.equals("rerunfailure") ? .rerun : .other
        default: .other
        }
    }
}
