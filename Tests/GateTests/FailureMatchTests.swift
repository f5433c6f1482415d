import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct FailureMatchTests {
    private func sample(
        _ messages: String..., at line: Int = 10, path: String = "Tests/A.swift", outcome: Outcome = .failed
    ) -> FailureSample {
        FailureSample(
            outcome: outcome,
            issues: messages.map { Issue(message: $0, location: SourceLocation(path: path, line: line)) })
    }

    @Test func `what is another in each execution does not count, and what is small does`() {
        #expect(
            FailureMatch.text("at 0x7F3a00, 0x1F, port 53127, 550E8400-e29b-41d4-a716-446655440000, \"33\" of 34")
                == "at 0x#, 0x1F, port #, #, \"33\" of 34")
        #expect(FailureMatch.text("no file at /tmp/kanmon-1/tree/a.txt: gone") == "no file at a.txt: gone")
        #expect(FailureMatch.text("a/b stays, and 1/2") == "a/b stays, and 1/2")
        #expect(
            FailureMatch.text("Fatal error: boom\n  in f() at Sources/K.swift:12:3")
                == "Fatal error: boom\n  in f() at Sources/K.swift")
        #expect(FailureMatch.text("ガ\u{301}\r\nb") == "ガ\u{301}\r\nb")
    }

    @Test func `all that failed here must have failed there, in the same words at the same place`() {
        let match = FailureMatch()
        #expect(match.isSame(sample("a"), as: sample("a")))
        #expect(match.isSame(sample("a"), as: sample("b", "a")))
        #expect(!match.isSame(sample("b", "a"), as: sample("a")))
        #expect(!match.isSame(sample("a"), as: sample("a", at: 11)))
        #expect(!match.isSame(sample("a"), as: sample("a", path: "Tests/B.swift")))
        #expect(!match.isSame(sample("33 is not 34"), as: sample("35 is not 34")))
        #expect(!match.isSame(sample("a"), as: sample("a", outcome: .crashed)))
        #expect(!match.isSame(sample(), as: sample()))
        // What was not kept may differ.
        var cut = sample("a")
        cut.count = 2
        #expect(!match.isSame(cut, as: sample("a")))
        #expect(!match.isSame(cut, as: cut))
    }

    @Test func `what crashed or took too long is the same only where it says where it was`() {
        let match = FailureMatch()
        func ended(_ message: String, _ outcome: Outcome, at line: Int? = nil) -> FailureSample {
            let place = line.map { SourceLocation(path: "Sources/K.swift", line: $0) }
            return FailureSample(outcome: outcome, issues: [Issue(message: message, location: place)])
        }
        let waits = "it was ended after 2 s: the limit for one test is 2 s"
        let waited = "it was ended after 9 s: the limit for one test is 9 s"
        let (inF, inG) = ("\n  in f() at Sources/K.swift:3:1", "\n  in g() at Sources/K.swift:3:1")
        #expect(match.isSame(ended(waits + inF, .timedOut), as: ended(waited + inF, .timedOut)))
        #expect(!match.isSame(ended(waits + inF, .timedOut), as: ended(waited + inG, .timedOut)))
        #expect(!match.isSame(ended(waits, .timedOut), as: ended(waits, .timedOut)))
        #expect(match.isSame(ended(waits, .timedOut, at: 3), as: ended(waited, .timedOut, at: 3)))
        #expect(!match.isSame(ended(waits, .timedOut, at: 3), as: ended(waited, .timedOut, at: 4)))
        let silent = "its process ended while it was running (signal 11)"
        #expect(!match.isSame(ended(silent, .crashed), as: ended(silent, .crashed)))
        #expect(match.isSame(ended(silent + inF, .crashed), as: ended(silent + inF, .crashed)))
        // A test that failed in order may say no more than what was thrown.
        #expect(match.isSame(ended("threw error \"no\"", .failed), as: ended("threw error \"no\"", .failed)))
    }

    @Test func `a line that no file has is none of the base`() {
        let change = FileChange(
            path: "Tests/A.swift", basePath: "Tests/A.swift", changes: [ChangedLines(base: 3..<4, head: 3..<6)])
        let match = FailureMatch([change])
        #expect(!match.isSame(sample("a", at: 3), as: sample("a", at: .max)))
        #expect(!match.isSame(sample("a", at: 3), as: sample("a", at: -1)))
    }

    @Test func `lines of the base are those of now where a change moved them`() {
        let change = FileChange(
            path: "Tests/New.swift", basePath: "Tests/A.swift", changes: [ChangedLines(base: 3..<4, head: 3..<6)])
        let match = FailureMatch([change])
        #expect(match.isSame(sample("a", at: 12, path: "Tests/New.swift"), as: sample("a", at: 10)))
        #expect(!match.isSame(sample("a", at: 10, path: "Tests/New.swift"), as: sample("a", at: 10)))
        // The line was changed.
        #expect(!match.isSame(sample("a", at: 3, path: "Tests/New.swift"), as: sample("a", at: 3)))
        let removed = FileChange(path: nil, basePath: "Tests/A.swift", changes: [])
        #expect(!FailureMatch([removed]).isSame(sample("a"), as: sample("a")))
    }

    @Test func `of a tree that nobody compared the file has to be the same, and no line`() {
        let match = FailureMatch()
        #expect(match.isAlike(sample("a"), sample("a", at: 99)))
        #expect(!match.isAlike(sample("a"), sample("a", path: "Tests/B.swift")))
        #expect(!match.isAlike(sample("a"), sample("b")))
    }

    @Test func `what crashed by way of another line is the same only where a change moved that line`() {
        func crashed(by line: Int, column: Int = 9) -> FailureSample {
            let frames = "\n  in check(_:) at Sources/A.swift:2:5\n  in f() at Sources/K.swift:\(line):\(column)"
            return FailureSample(
                outcome: .crashed,
                issues: [Issue(message: "boom" + frames, location: SourceLocation(path: "Sources/A.swift", line: 2))])
        }
        let match = FailureMatch()
        #expect(match.isSame(crashed(by: 10), as: crashed(by: 10)))
        #expect(!match.isSame(crashed(by: 12), as: crashed(by: 10)))
        // The line calls the function twice.
        #expect(!match.isSame(crashed(by: 10), as: crashed(by: 10, column: 17)))
        let change = FileChange(
            path: "Sources/K.swift", basePath: "Sources/K.swift", changes: [ChangedLines(base: 3..<4, head: 3..<6)])
        let moved = FailureMatch([change])
        #expect(moved.isSame(crashed(by: 12), as: crashed(by: 10)))
        #expect(!moved.isSame(crashed(by: 10), as: crashed(by: 10)))
        // The line was changed.
        #expect(!moved.isSame(crashed(by: 3), as: crashed(by: 3)))
        // Of an earlier tree nobody knows where the line was.
        #expect(match.isAlike(crashed(by: 12), crashed(by: 10)))
    }

    @Test func `a failure is no more than that of the base if nothing failed oftener, and numbers count unless told`() {
        let match = FailureMatch()
        #expect(match.isNoMore(sample("a"), than: sample("b", "a", "b")))
        // A loop fails for more elements.
        #expect(match.isSame(sample("a", "a"), as: sample("a")))
        #expect(!match.isNoMore(sample("a", "a"), than: sample("a")))
        #expect(!match.isNoMore(sample("a", "a"), than: sample("a", "b")))
        // It fails for fewer elements, of which one may be another.
        #expect(!match.isNoMore(sample("a"), than: sample("a", "a")))
        // More than is kept failed.
        var many = sample("a")
        many.count = 12
        #expect(!match.isNoMore(many, than: many))
        // Another number was computed, or the port is another one.
        #expect(!match.isNoMore(sample("33000 is not 34000"), than: sample("35000 is not 34000")))
        #expect(
            match.isNoMore(sample("33000 is not 34000"), than: sample("35000 is not 34000"), ignoresNumbers: true))
        for (here, there) in [("0x1E", "0x1F"), ("0xDEAD00", "0xBEEF00")] {
            #expect(!match.isNoMore(sample(here), than: sample(there)))
        }
        #expect(match.isNoMore(sample("0x00007f3a10"), than: sample("0x00007f3a20")))
        // A test that failed in order may say no more than what was thrown.
        let thrown = FailureSample(outcome: .failed, issues: [Issue(message: "threw error \"no\"")])
        #expect(match.isNoMore(thrown, than: thrown))
    }

    @Test func `what a verdict rests on has the same numbers, a place, an argument, and is no more than there`() {
        let match = FailureMatch()
        #expect(match.isSurelyNoMore(sample("a"), than: sample("a")))
        #expect(match.isSurelyNoMore(sample("a"), than: sample("b", "a", "b")))
        #expect(match.isSurelyNoMore(sample("a", "a"), than: sample("a", "a")))
        // Another element of a loop fails.
        #expect(match.isSame(sample("a", "a"), as: sample("a")))
        #expect(!match.isSurelyNoMore(sample("a", "a"), than: sample("a")))
        // Another number was computed.
        #expect(match.isSame(sample("33000 is not 34000"), as: sample("35000 is not 34000")))
        #expect(!match.isSurelyNoMore(sample("33000 is not 34000"), than: sample("35000 is not 34000")))
        #expect(match.isSurelyNoMore(sample("at 0x7f3a00001 in /a/x"), than: sample("at 0x8f3b00001 in /b/x")))
        // An error may have been thrown anywhere.
        let thrown = FailureSample(outcome: .failed, issues: [Issue(message: "threw error \"no\"")])
        #expect(match.isSame(thrown, as: thrown) && !match.isSurelyNoMore(thrown, than: thrown))
        var cut = sample("a")
        cut.count = 2
        #expect(!match.isSurelyNoMore(cut, than: cut))
        #expect(!match.isSurelyNoMore(sample("a"), than: sample("a", at: 11)))
        // The line that the change moved is where it is now.
        let change = FileChange(
            path: "Tests/A.swift", basePath: "Tests/A.swift", changes: [ChangedLines(base: 3..<4, head: 3..<6)])
        #expect(FailureMatch([change]).isSurelyNoMore(sample("a", at: 12), than: sample("a", at: 10)))
    }

    @Test func `a test that fails for another argument fails in another way`() {
        func failed(_ arguments: String...) -> FailureSample {
            let place = SourceLocation(path: "Tests/A.swift", line: 10)
            return FailureSample(
                outcome: .failed, issues: arguments.map { Issue(message: "a", location: place, argument: $0) })
        }
        let match = FailureMatch()
        #expect(match.isSame(failed("10000"), as: failed("10000", "20000")))
        for isSame in [
            match.isSame(failed("10000", "20000"), as: failed("20000")),
            match.isSame(failed("/a/x.txt"), as: failed("/b/x.txt")),
            match.isNoMore(failed("10000", "20000"), than: failed("20000")),
        ] {
            #expect(!isSame)
        }
    }

    @Test func `a sample is what failed the test, cut`() {
        let long = String(repeating: "m", count: 3_000)
        let issues =
            [Issue(message: "known", isKnown: true), Issue(message: long), Issue(message: "a", argument: long)]
            + (0..<29).map { Issue(message: "\($0)") }
        let result = TestResult(
            id: SampleMaps.tests[0], library: .xctest, outcome: .failed,
            attempts: [TestAttempt(outcome: .failed, issues: issues)])
        let sample = FailureSample(result)
        #expect(sample?.count == 31)
        // An argument that is too long to be kept would not tell issues apart.
        #expect(sample?.issues.count == 9)
        #expect(sample?.issues[0].message == "\(long.prefix(2_000))… \(StableHash(long).hexadecimal)")
        var passed = result
        passed.outcome = .passed
        #expect(FailureSample(passed) == nil)
    }
}

/// What a test executes of a change.
@Suite struct ChangeContactTests {
    private let failures = SampleMaps.tests.map { TestResult(id: $0, library: .xctest, outcome: .failed) }

    private func contacts(
        _ path: String?, _ head: Range<Int>, base: String? = "same", isWhole: Bool = true,
        file: String? = "Tests/CoreTests/A.swift"
    ) -> [ChangeContact?] {
        let change = FileChange(
            path: path, basePath: base == "same" ? path : base, changes: [ChangedLines(base: head, head: head)])
        let found = SampleMaps.map.contacts(
            of: failures, with: [change], isWhole: isWhole, file: { _ in file },
            named: { $0 == "$s4Core1fyyF" ? "Kit.f(_:)" : "closure #1 in Kit.f(_:)" })
        return SampleMaps.tests.map { found[$0] }
    }

    @Test func `a test executes the functions that changed, closures being parts of them`() {
        #expect(
            contacts("Sources/Core/F.swift", 7..<8) == [
                ChangeContact(functions: ["Kit.f"]), ChangeContact(executesNone: true),
                ChangeContact(functions: ["Kit.f"]),
            ])
    }

    @Test func `a long name is cut`() {
        let name = String(repeating: "n", count: 200)
        #expect(TestMap.short("\(name)(_:)") == String(name.prefix(120)))
        #expect(TestMap.short("(") == "(")
    }

    @Test func `a test executes nothing only where all that changed is the body of functions that others execute`() {
        let nobody = ChangeContact()
        // The signature, a line outside of functions, a file that nobody measured, one that is gone, new or renamed.
        #expect(contacts("Sources/Core/F.swift", 3..<4)[1] == nobody)
        #expect(contacts("Sources/Core/F.swift", 9..<10)[1] == nobody)
        #expect(contacts("Sources/Core/F.swift", 40..<41)[1] == nobody)
        #expect(contacts("Resources/a.json", 1..<2)[1] == nobody)
        #expect(contacts(nil, 1..<1, base: "Sources/Core/F.swift")[1] == nobody)
        #expect(contacts("Sources/Core/F.swift", 4..<5, base: nil)[1] == nobody)
        #expect(contacts("Sources/Core/F.swift", 4..<5, base: "Sources/Core/E.swift")[1] == nobody)
        // Something outside of tests executes it.
        #expect(contacts("Sources/Core/G.swift", 2..<2)[1]?.executesNone == false)
        // Not all that changed is known, or where the test is.
        #expect(contacts("Sources/Core/F.swift", 4..<5, isWhole: false)[1] == nobody)
        #expect(contacts("Sources/Core/F.swift", 4..<5, file: nil)[1] == nobody)
        #expect(contacts("Sources/Core/F.swift", 4..<5, file: "Sources/Core/F.swift")[1] == nobody)
        #expect(contacts("Sources/Core/F.swift", 4..<5)[1] == ChangeContact(executesNone: true))
    }

    @Test func `of a test that was not recorded nothing is known`() {
        let other = TestResult(
            id: TestID(module: "m", suite: "", name: "n"), library: .swiftTesting, outcome: .failed)
        #expect(
            SampleMaps.map.contacts(
                of: [other], with: [], isWhole: true, file: { _ in nil }, named: { $0 }) == [:])
    }
}

/// What tests execute of a change by what was recorded on the base.
@Suite struct RecordedContactTests {
    private typealias Recorded = FailureObservation.Recorded

    /// A change of lines of the base in a file; in what is tested they lie elsewhere.
    private static func change(
        _ base: Range<Int>, path: String? = "Sources/Core/F.swift", basePath: String? = "Sources/Core/F.swift",
        mayEndBlock: Bool = false
    ) -> FileChange {
        FileChange(
            path: path, basePath: basePath, changes: [ChangedLines(base: base, head: 80..<82)],
            mayEndBlock: mayEndBlock)
    }

    private func recorded(_ change: FileChange, map: TestMap = SampleMaps.map) -> [Recorded?] {
        var run = SampleRuns.passing()
        run.tests = SampleMaps.tests.map {
            TestResult(
                id: $0, library: .swiftTesting, outcome: .failed,
                location: SourceLocation(path: "Tests/CoreTests/A.swift", line: 1))
        }
        let found = Recorded.all(of: run.tests, in: run, by: map, changes: [change]) {
            $0 == "$s4Core1fyyF" ? "Kit.f(_:)" : "closure #1 in Kit.f(_:)"
        }
        return SampleMaps.tests.map { found[$0] }
    }

    @Test func `the lines of the base decide, whatever lies at those of the change now`() {
        let executes = Recorded(functions: ["Kit.f"], functionCount: 1, isUnexecuted: false)
        let executesNone = Recorded(executesNone: true, isUnexecuted: false)
        #expect(recorded(Self.change(7..<8)) == [executes, executesNone, executes])
    }

    static let unknown: [FileChange] = [
        // A function that the change adds, the signature of one, and a line outside of functions.
        change(10..<10), change(3..<4), change(40..<41),
        // Lines that end the function, a file that the base does not have, one that is gone, and one of another name.
        change(4..<5, mayEndBlock: true), change(4..<5, basePath: nil), change(4..<5, path: nil),
        change(4..<5, path: "Sources/Core/E.swift"),
    ]

    @Test(arguments: unknown)
    func `what the map of the base does not have is unknown, and not nothing`(change: FileChange) {
        var found = recorded(change)[1]
        found?.isUnexecuted = nil
        #expect(found == Recorded())
    }

    @Test func `nobody executes the change where no function that was executed has a line of it, or may reach it`() {
        #expect(recorded(Self.change(40..<41)).map { $0?.isUnexecuted } == [true, true, true])
        #expect(recorded(Self.change(10..<10))[1]?.isUnexecuted == true)
        #expect(recorded(Self.change(3..<4))[1]?.isUnexecuted == false)
        #expect(recorded(Self.change(40..<41, mayEndBlock: true))[1]?.isUnexecuted == false)
        #expect(recorded(Self.change(4..<5, path: nil))[1]?.isUnexecuted == false)
    }

    @Test func `an initial value may end, a macro of C reaches further, and what runs outside of tests reaches all`() {
        var map = SampleMaps.map
        map.files[0].functions[0].symbol = "$s4Core1fSivpfi"
        #expect(recorded(Self.change(4..<5), map: map)[1] == Recorded(isUnexecuted: false))
        map = SampleMaps.map
        map.files[0].path = "Sources/Core/F.c"
        let change = Self.change(4..<5, path: "Sources/Core/F.c", basePath: "Sources/Core/F.c")
        #expect(recorded(change, map: map)[1] == Recorded(isUnexecuted: false))
        map = SampleMaps.map
        map.sets[0].hasOthers = true
        #expect(recorded(Self.change(4..<5), map: map)[1] == Recorded(isUnexecuted: false))
    }

    @Test func `tests that were not recorded are not among them`() {
        var map = SampleMaps.map
        map.tests[1] = TestID(module: "CoreTests", suite: "A", name: "another")
        #expect(recorded(Self.change(4..<5), map: map)[1] == nil)
    }
}

@Suite struct FailureGroupTests {
    private func failure(
        _ name: String, _ message: String, at path: String? = nil, outcome: Outcome = .failed
    ) -> TestResult {
        TestResult(
            id: TestID(module: "CoreTests", suite: "S", name: name), library: .swiftTesting, outcome: outcome,
            location: SourceLocation(path: "Tests/CoreTests/CoreTests.swift", line: 1),
            attempts: [
                TestAttempt(
                    outcome: outcome,
                    issues: [Issue(message: message, location: path.map { SourceLocation(path: $0, line: 4) })])
            ])
    }

    private func groups(_ tests: TestResult...) -> [[String]] {
        var run = SampleRuns.passing()
        run.tests = tests
        return FailureGroup.all(in: run).map { [$0.reason] + $0.tests.map(\.name) }
    }

    @Test func `tests that threw the same error, or crashed or failed in the same place, have one reason`() {
        let frames = "\n  in Store.open() at Sources/Core/Core.swift:"
        #expect(
            groups(
                failure("a", "Fatal error: boom\(frames)3", outcome: .crashed), failure("b", "x == 1"),
                failure("c", "Caught error: refused at port 53127"), failure("d", "failed: caught error: \"no\""),
                failure("e", "Caught error: refused at port 61000"), failure("f", "Helper failed", at: "Tests/H.swift"),
                failure("g", "Fatal error: boom\(frames)8", outcome: .crashed),
                failure("h", "Helper failed", at: "Tests/H.swift"), failure("i", "Caught error: refused at port 70000")
            ) == [
                ["Caught error: refused at port #", "c", "e", "i"],
                ["Fatal error: boom in Store.open() at Sources/Core/Core.swift", "a", "g"],
                ["Helper failed at Tests/H.swift:4", "f", "h"],
            ])
    }

    @Test func `errors of one type are one reason, whatever they carry`() {
        let missing = "Error Domain=NSCocoaErrorDomain Code=260"
        #expect(
            groups(
                failure("a", "Caught error: notFound(\"a\")"), failure("b", "Caught error: notFound(\"b\")"),
                failure("c", "Caught error: refused(port: 80)"), failure("d", "Caught error: refused(port: 80)"),
                failure("e", "Caught error: notFound"), failure("f", "threw error \"ParseError: no comma\""),
                failure("g", "XCTAssertEqual failed: threw error \"ParseError: no quote\" - row 3"),
                failure("h", "Caught error: \(missing) \"The file “a” couldn’t be opened.\""),
                failure("i", "Caught error: \(missing) \"The file “b” couldn’t be opened.\"")
            ) == [
                ["Caught error: notFound", "a", "b", "e"],
                ["Caught error: refused(port: 80)", "c", "d"],
                ["threw error ParseError", "f", "g"],
                ["Caught error: \(missing)", "h", "i"],
            ])
        // What is no type, nor what comes before a colon, has to be the same as a whole.
        let prose = "The operation couldn’t be completed. (Kit.Failure error"
        #expect(groups(failure("a", "Caught error: \(prose) 1.)"), failure("b", "Caught error: \(prose) 2.)")) == [])
        #expect(groups(failure("a", "Caught error: http://a"), failure("b", "Caught error: http://b")) == [])
    }

    @Test func `equal words in tests of their own are no common reason`() {
        let own = "Tests/CoreTests/CoreTests.swift"
        #expect(groups(failure("a", "x == 1", at: own), failure("b", "x == 1", at: own)) == [])
        #expect(
            groups(
                failure("a", "boom\n  in t() at \(own):3", outcome: .crashed),
                failure("b", "boom\n  in t() at \(own):3", outcome: .crashed)) == [])
        #expect(groups(failure("a", "Caught error: no")) == [])
    }
}
