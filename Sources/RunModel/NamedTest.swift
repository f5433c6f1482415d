/// A test and its names for readers: those of `@Test("…")` and `@Suite("…")`, as far as they say more than the identity, and its
/// tags; untrusted text.
public struct NamedTest: Sendable, Hashable {
    /// Which test.
    public let id: TestID
    /// The name of the test; `nil` where there is none that says more.
    public let displayName: String?
    /// The names of its suites joined by `/`, where one of them has a name that says more.
    public let suiteDisplayName: String?
    /// Its tags and those of its suites.
    public let tags: [String]

    /// Takes the names as they were recorded. Swift Testing gives a raw identifier without its backticks as one.
    public init(_ id: TestID, displayName: String?, suiteDisplayName: String?, tags: [String] = []) {
        self.id = id
        self.tags = tags
        let isOwn = displayName.map {
            Name($0) != Name(id.name) && !id.name.utf8.starts(with: "`\($0)`(".utf8)
        }
        self.displayName = isOwn == true && displayName?.isEmpty == false ? displayName : nil
        let plainSuite = Name(String(id.suite.unicodeScalars.filter { $0 != "`" }))
        self.suiteDisplayName = suiteDisplayName.flatMap { $0.isEmpty || Name($0) == plainSuite ? nil : $0 }
    }

    /// Whether it has a tag, where one is requested: as it was recorded (`.slow`, `.Area.network`), or without the dot
    /// in front; compared byte by byte.
    public func hasTag(_ tag: String?) -> Bool {
        guard let tag else { return true }
        return tags.contains { Name($0) == Name(tag) || Name($0) == Name("." + tag) }
    }

    /// What a person calls the test, `counts flags` or `Parsing › counts flags`; `nil` where only the identity says it.
    public var title: String? {
        guard let suiteDisplayName else { return displayName }
        return "\(suiteDisplayName) › \(displayName ?? id.name)"
    }
}

extension TestResult {
    /// The test and its names for readers.
    public var named: NamedTest {
        NamedTest(id, displayName: displayName, suiteDisplayName: suiteDisplayName, tags: tags)
    }
}
