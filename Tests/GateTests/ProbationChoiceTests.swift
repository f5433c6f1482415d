import Gate
import RunModel
import Testing

/// Which tests are new or changed, by the sources of their targets and the lines that changed.
@Suite struct ProbationChoiceTests {
    private static func test(_ name: String, _ suite: String = "CacheTests", module: String = "CoreTests") -> TestID {
        TestID(module: module, suite: suite, name: name)
    }

    private static let evicts = test("testEvicts"), fills = test("fills()"), raw = test("`raw name`(_:)", "Raw")
    private static let other = test("other()", "", module: "MoreTests")
    private static let tests = [evicts, fills, raw, other]

    private static func names(_ words: String) -> [Name] { words.split(separator: ",").map { Name($0) } }

    private static func part(
        _ kind: TestSource.Part.Kind, _ suite: String, _ names: String, _ lines: ClosedRange<Int>, to last: Int? = nil,
        uses words: String = ""
    ) -> TestSource.Part {
        TestSource.Part(
            kind, names: self.names(names), suite: Name(suite), lines: lines, lastLine: last,
            words: Set(self.names("\(names),\(words)")))
    }

    /// A suite with a property, a set-up and two tests; a test that uses a fixture of another file; that file.
    private static let sources = [
        TestSource(
            path: "Tests/CoreTests/CacheTests.swift", module: "CoreTests",
            parts: [
                part(.type, "CacheTests", "CacheTests", 3...3, to: 30),
                part(.other, "CacheTests", "cache", 5...5),
                part(.function, "CacheTests", "setUp", 7...9, uses: "cache"),
                part(.function, "CacheTests", "testEvicts", 11...15, uses: "cache,filled"),
                part(.function, "CacheTests", "fills", 17...20, uses: "cache"),
                part(.function, "CacheTests", "filled", 22...25, uses: "cache"),
            ]),
        TestSource(
            path: "Tests/CoreTests/RawTests.swift", module: "CoreTests",
            parts: [
                part(.type, "Raw", "Raw", 1...1, to: 8), part(.function, "Raw", "raw name", 2...6, uses: "makeServer"),
            ]),
        TestSource(
            path: "Tests/CoreTests/Fixtures.swift", module: "CoreTests",
            parts: [
                part(.other, "", "", 1...1),
                part(.function, "", "makeServer", 3...6, uses: "Server"),
                part(.type, "Server", "Server", 8...8, to: 14), part(.other, "Server", "port", 9...9),
                part(.function, "Server", "init", 10...12), part(.function, "Server", "close", 13...13),
            ]),
        TestSource(
            path: "Tests/MoreTests/More.swift", module: "MoreTests",
            parts: [part(.function, "", "other", 1...4, uses: "makeServer")]),
    ]

    private static func edit(_ path: String, _ lines: Range<Int>, over base: Range<Int>? = nil) -> FileChange {
        FileChange(path: path, basePath: path, changes: [ChangedLines(base: base ?? lines, head: lines)])
    }

    /// The tests with their reasons, against a base that has all of them, or the ones given.
    private func chosen(
        _ changes: FileChange..., known: Set<TestID>? = Set(Self.tests), sources: [TestSource] = Self.sources
    ) -> [TestID: Probation.Reason] {
        let choice = ProbationChoice(
            among: Self.tests, in: sources, against: [ProbationChoice.Base(changes: changes, known: known)])
        return Dictionary(choice.entries.compactMap { entry in entry.reason.map { (entry.test, $0) } }) { $1 }
    }

    private static let cacheTests = "Tests/CoreTests/CacheTests.swift", fixtures = "Tests/CoreTests/Fixtures.swift"

    @Test func `without a change of test targets no test is on probation`() {
        #expect(chosen() == [:])
        #expect(chosen(Self.edit("Sources/Core/Cache.swift", 1..<90)) == [:])
        // Blank lines, comments and imports belong to no part.
        #expect(chosen(Self.edit(Self.cacheTests, 1..<2)) == [:])
        #expect(chosen(Self.edit(Self.cacheTests, 16..<17)) == [:])
        #expect(chosen(FileChange(path: Self.cacheTests, basePath: "Tests/Old.swift", changes: [])) == [:])
    }

    @Test func `a test that the base's run lacks is new, wherever it is`() {
        #expect(chosen(known: [Self.fills, Self.raw]) == [Self.evicts: .new, Self.other: .new])
        let others: Set = [Self.fills, Self.raw, Self.other]
        #expect(chosen(Self.edit(Self.cacheTests, 12..<13), known: others) == [Self.evicts: .new])
    }

    @Test func `a test whose lines changed is another one, and new without a run of the base if all did`() {
        #expect(chosen(Self.edit(Self.cacheTests, 12..<13)) == [Self.evicts: .changed])
        #expect(chosen(Self.edit(Self.cacheTests, 14..<14, over: 14..<16)) == [Self.evicts: .changed])
        #expect(chosen(Self.edit(Self.cacheTests, 10..<16, over: 10..<10)) == [Self.evicts: .changed])
        #expect(chosen(Self.edit(Self.cacheTests, 10..<16, over: 10..<10), known: nil) == [Self.evicts: .new])
        #expect(chosen(Self.edit(Self.cacheTests, 12..<16), known: nil) == [Self.evicts: .changed])
        #expect(chosen(Self.edit("Tests/CoreTests/RawTests.swift", 3..<4)) == [Self.raw: .changed])
        #expect(chosen(Self.edit("Tests/MoreTests/More.swift", 2..<3)) == [Self.other: .changed])
    }

    @Test func `a test is another one where something changed that it uses, however far away`() {
        #expect(chosen(Self.edit(Self.cacheTests, 23..<24)) == [Self.evicts: .uses("filled")])
        #expect(chosen(Self.edit(Self.fixtures, 4..<5)) == [Self.raw: .uses("makeServer")])
        // By way of a function that makes one of the type; another target has a function of its own by that name.
        for line in [9, 11] {
            let found = chosen(Self.edit(Self.fixtures, line..<line + 1))
            #expect(found == [Self.raw: .uses(line == 9 ? "port" : "init")])
        }
        #expect(chosen(Self.edit(Self.fixtures, 13..<14)) == [:])
    }

    @Test func `what a suite begins with and has is that of each of its tests`() {
        for (line, name) in [(5, "cache"), (8, "setUp"), (3, "CacheTests")] {
            let found = chosen(Self.edit(Self.cacheTests, line..<line + 1))
            #expect(found == [Self.evicts: .uses(name), Self.fills: .uses(name)])
        }
        // A set-up or a property that is gone is missed by all.
        #expect(
            chosen(Self.edit(Self.cacheTests, 6..<6, over: 6..<9))
                == [Self.evicts: .uses("CacheTests"), Self.fills: .uses("CacheTests")])
        // Behind the type, and where no line went.
        #expect(chosen(Self.edit(Self.cacheTests, 31..<31, over: 31..<40)) == [:])
    }

    @Test func `what stands at the top of a file without a name may be about all of it, and what cannot be read too`() {
        let loose = TestSource(
            path: "Tests/CoreTests/RawTests.swift", module: "CoreTests",
            parts: [
                Self.part(.other, "", "", 1...1), Self.part(.type, "Raw", "Raw", 2...2, to: 8),
                Self.part(.function, "Raw", "raw name", 3...6),
            ])
        #expect(chosen(Self.edit(loose.path, 1..<2), sources: [loose]) == [Self.raw: .file])
        let unreadable = TestSource(path: Self.cacheTests, module: "CoreTests", parts: nil)
        let rest = Array(Self.sources.dropFirst())
        #expect(
            chosen(Self.edit(Self.cacheTests, 1..<2), sources: [unreadable] + rest)
                == [Self.evicts: .file, Self.fills: .file])
        #expect(
            chosen(Self.edit(Self.fixtures, 4..<5), sources: [unreadable] + rest) == [Self.raw: .uses("makeServer")])
    }

    @Test func `a helper declares no test, and of one that cannot be read any test may be another`() {
        var helper = TestSource(
            path: "Tests/Support/S.swift", module: "MoreTests", parts: [Self.part(.function, "", "other", 1...3)])
        helper.isOfHelper = true
        let edit = Self.edit(helper.path, 2..<3)
        #expect(chosen(edit, sources: [Self.sources[3], helper]) == [Self.other: .uses("other")])
        helper.parts = nil
        #expect(chosen(edit, sources: [Self.sources[3], helper]) == [Self.other: .file])
    }

    @Test func `what lies behind a link that leads elsewhere is another source, and so is what a condition exposes`() {
        let raw = "Tests/CoreTests/RawTests.swift"
        let file = FileChange(path: raw, basePath: raw, changes: [], leadsElsewhere: true)
        #expect(chosen(file) == [Self.raw: .changed])
        let more = FileChange(path: "Tests/MoreTests", basePath: "Tests/MoreTests", changes: [], leadsElsewhere: true)
        #expect(chosen(more) == [Self.other: .changed])
        #expect(chosen(FileChange(path: "Tests/More", basePath: nil, changes: [], leadsElsewhere: true)) == [:])
        let unreadable = TestSource(path: "Tests/MoreTests/More.swift", module: "MoreTests", parts: nil)
        #expect(chosen(more, sources: [unreadable]) == [Self.other: .file])
        let exposed = FileChange(
            path: Self.cacheTests, basePath: Self.cacheTests, changes: [ChangedLines(base: 1..<2, head: 1..<2)],
            exposed: [18..<19])
        #expect(chosen(exposed) == [Self.fills: .changed])
    }

    @Test func `of several bases each counts`() {
        let first = ProbationChoice.Base(changes: [Self.edit(Self.cacheTests, 12..<13)], known: Set(Self.tests))
        let second = ProbationChoice.Base(changes: [], known: [Self.evicts, Self.fills, Self.raw])
        let both = ProbationChoice(among: Self.tests, in: Self.sources, against: [first, second])
        #expect(both.entries.map(\.test) == [Self.other, Self.evicts])
        #expect(both.entries.map(\.reason) == [.new, .changed])
    }
}
