public import Evidence
public import RunModel

/// The tests that a package's test binary lists.
public struct DiscoveredTests: Sendable, Hashable {
    /// A test and how its library wants to be asked for it.
    public struct Entry: Sendable, Hashable {
        /// The identity over runs.
        public var id: TestID
        /// The library that runs it.
        public var library: TestingLibrary
        /// `Module.Class/method`, or the identity of Swift Testing's event stream.
        public var name: String
        /// What a person calls it (`NamedTest.title`); `nil` where only the identity says it.
        public var title: String?

        package init(id: TestID, library: TestingLibrary, name: String, title: String? = nil) {
            self.id = id
            self.library = library
            self.name = name
            self.title = title
        }
    }

    /// In the order of the lists, XCTest first.
    public let entries: [Entry]

    /// No tests.
    public init() { entries = [] }

    /// The tests of both.
    public static func + (left: DiscoveredTests, right: DiscoveredTests) -> DiscoveredTests {
        DiscoveredTests(entries: left.entries + right.entries)
    }

    /// Makes a list from its entries.
    public init(entries: [Entry]) { self.entries = entries }

    /// Reads the lists of both libraries, as far as there are any.
    ///
    /// - Throws: `EvidenceError` for bytes that are not such a list.
    public init(xctestList: [UInt8]?, swiftTestingList: [UInt8]?) throws(EvidenceError) {
        var entries: [Entry] = []
        if let xctestList {
            entries += try XCTestList.read(xctestList, file: "XCTest").tests.map { id in
                Entry(id: id, library: .xctest, name: id.specifier)
            }
        }
        if let swiftTestingList {
            let functions = try EventStream.read(swiftTestingList, file: "Swift Testing").functions
            let ids = TestDiscriminators(functions.map(\.id))
            entries += functions.map { function in
                let id = ids[function.id]
                let named = NamedTest(
                    id, displayName: function.displayName, suiteDisplayName: function.suiteDisplayName)
                return Entry(id: id, library: .swiftTesting, name: function.id.text, title: named.title)
            }
        }
        self.entries = entries
    }
}
