import Foundation
import Gate
import RunModel
import TestSupport
import Testing
import Wording

@testable import Pages

/// The page that is filled for each run, against the one that is made for each run.
@Suite struct ModuleTestsPageTests {
    private static func run(
        _ number: Int, _ tests: [(name: String, outcome: Outcome, duration: Duration?)], name: String
    ) -> TestRun {
        var run = SampleRuns.passing(number)
        run.project = name
        run.package = name
        run.tests = tests.enumerated().map { place, test in
            TestResult(
                id: TestID(
                    module: "T", suite: place < 2 ? "" : name, name: test.name, discriminator: place == 3 ? name : ""),
                library: .xctest, outcome: test.outcome, displayName: place == 2 ? name : nil,
                attempts: test.outcome.wasExecuted ? [TestAttempt(outcome: test.outcome, duration: test.duration)] : [],
                skipReason: test.outcome == .skipped ? name : nil)
        }
        run.tests.sort { $0.id < $1.id }
        return run
    }

    private static func results(_ run: TestRun, _ catalog: TestCatalog?) -> ModuleResults {
        let tests = run.tests.map {
            TestDescription(id: $0.id, displayName: $0.displayName, skipReason: $0.skipReason)
        }
        var details: [Int: TestDetails] = [:]
        var failures = 0
        for (place, test) in run.tests.enumerated() {
            if test.outcome.isFailure { failures += 1 }
            guard test.hasDetails else { continue }
            details[place] = TestDetails(
                attempts: test.attempts, failureNumber: test.outcome.isFailure ? failures : nil)
        }
        return ModuleResults(
            run: run.id, package: run.package, catalog: catalog ?? TestCatalog(project: run.project, tests: tests),
            outcomes: run.tests.map(\.outcome), durations: run.tests.map(\.duration), details: details)
    }

    @Test(arguments: ["example.com/kit", "<b> & \"q\" 'x' \u{202E}é\u{301} 日本 {{.}}"])
    func `it is the same to the byte, whether its skeleton was made for this run or for another`(name: String) throws {
        let renderer = try PageRenderer()
        let ms = Duration.milliseconds(1)
        let first = Self.run(
            1,
            [
                ("a", .passed, ms * 3), ("b", .skipped, nil), ("c", .passed, .microseconds(7)), ("d", .notRun, nil),
                ("e", .passed, nil),
            ], name: name)
        let second = Self.run(
            2,
            [
                ("a", .passed, .zero), ("b", .skipped, nil), ("c", .passed, .seconds(65)), ("d", .notRun, nil),
                ("e", .passed, .seconds(9000)),
            ], name: name)
        let third = Self.run(
            3,
            [
                ("a", .passed, ms), ("b", .passed, ms), ("c", .passed, ms * 999), ("d", .passed, ms),
                ("e", .passed, ms),
            ], name: name)
        let catalog = Self.results(first, nil).catalog
        for links in [Links.dashboard, Links(under: "/gate"), .dashboard] {
            for run in [first, second, third, first] {
                var run = run
                // The catalog knows why the second test was skipped where it was.
                run.tests = zip(run.tests, catalog.tests).map { test, described in
                    var test = test
                    test.skipReason = described.skipReason
                    return test
                }
                let plain = try #require(
                    TestsPage(target: "T", run: run, verdict: SampleVerdicts.of(run), links: links))
                let shared = try #require(ModuleTestsPage(Self.results(run, catalog), links: links))
                let bytes = renderer.bytes(of: shared)
                #expect(bytes == renderer.bytes(of: plain))
                _ = try MarkupScanner(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    @Test(arguments: ["example.com/kit", "<b> & \"q\" 'x' \u{202E}é\u{301} 日本 {{.}}"])
    func `where there is more to say it is the page of its run`(name: String) throws {
        let renderer = try PageRenderer()
        let said = [Issue(message: "\(name) failed")]
        let known = [Issue(message: "\(name) is known", isKnown: true)]
        var run = Self.run(
            1, Outcome.allCases.map { ("\($0)", $0, .milliseconds(3)) } + (0..<120).map { ("f\($0)", .failed, nil) },
            name: name)
        for place in run.tests.indices {
            let test = run.tests[place]
            switch test.outcome {
            case .passed:
                let failed = TestAttempt(outcome: .failed, duration: .seconds(1), issues: said)
                run.tests[place].attempts = [failed, failed] + test.attempts
            case .notRun: run.tests[place].attempts = [TestAttempt(outcome: .notRun, issues: said)]
            case .knownIssue: run.tests[place].attempts[0].issues = known
            // One that says nothing is told of, too.
            case .failed where place % 2 == 0, .crashed: run.tests[place].attempts[0].issues = said
            case .failed, .timedOut, .skipped: break
            }
        }
        for links in [Links.dashboard, Links(under: "/gate")] {
            let plain = try #require(TestsPage(target: "T", run: run, verdict: SampleVerdicts.of(run), links: links))
            let shared = try #require(ModuleTestsPage(Self.results(run, nil), links: links))
            let bytes = renderer.bytes(of: shared)
            #expect(bytes == renderer.bytes(of: plain))
            let page = String(decoding: bytes, as: UTF8.self)
            for text in ["#failure-100\"", "#failures\"", "after 2 failed attempts"] { #expect(page.contains(text)) }
        }
    }

    @Test func `a run that differs in more than times has a skeleton of its own`() throws {
        func key(_ run: TestRun, _ catalog: TestCatalog, links: Links = .dashboard) throws -> ModuleTestsPage.Key {
            try #require(ModuleTestsPage(Self.results(run, catalog), links: links)).key
        }
        let run = Self.run(1, [("a", .passed, nil), ("b", .passed, nil)], name: "p")
        let catalog = Self.results(run, nil).catalog
        var (renamed, skipped, later) = (run, run, run)
        renamed.package = "q"
        skipped.tests[1].outcome = .skipped
        later.tests[0].attempts = [TestAttempt(outcome: .passed, duration: .seconds(1))]
        let known = try key(run, catalog)
        #expect(try key(later, catalog) == known)
        #expect(try key(renamed, catalog) != known)
        #expect(try key(skipped, catalog) != known)
        #expect(try key(run, catalog, links: Links(under: "/x")) != known)
        #expect(try key(run, Self.results(run, nil).catalog) != known)
        for tests in [[], Array(catalog.tests.dropLast())] {
            #expect(ModuleTestsPage(Self.results(run, TestCatalog(project: "p", tests: tests))) == nil)
        }
    }

    @Test func `a skeleton is made once, and what does not fit is made each time`() {
        let memory = SkeletonCache<Int>(room: 800)
        var made: [Int] = []
        func skeleton(_ key: Int, _ count: Int) {
            let skeleton = memory.skeleton(key) {
                made.append(key)
                var markup = Markup()
                markup.reserve(32 << 10)
                markup.append(trusted: [UInt8](repeating: 1, count: count))
                return markup
            }
            #expect(skeleton.bytes.count == count)
            #expect(skeleton.bytes.capacity < 2 * count)
        }
        for _ in 0..<2 { for key in 1...4 { skeleton(key, 100) } }
        #expect(made == [1, 2, 3, 4])
        #expect(memory.size == 800)
        for _ in 0..<2 { skeleton(5, 101) }
        #expect(made == [1, 2, 3, 4, 5, 5])
        for key in [6, 4, 6] { skeleton(key, 100) }
        #expect(made == [1, 2, 3, 4, 5, 5, 6, 4])
    }

    @Test func `what was escaped is put in as it is`() {
        var skeleton = Markup()
        skeleton.addPlaceholder(for: 1)
        skeleton.append(trusted: Array("<p>".utf8))
        skeleton.addPlaceholder(for: 0)
        skeleton.addPlaceholder(for: 1)
        let page = skeleton.filled(withEscaped: ["a<", "\u{202E}µ"].map { Markup.escaped($0) })
        #expect(String(decoding: page, as: UTF8.self) == "⟨U+202E⟩µ<p>a&lt;⟨U+202E⟩µ")
        #expect(Markup().filled(withEscaped: []) == [])
    }

    @Test func `what is looked at by bytes is what is looked at by scalars`() {
        func expect(_ text: String) {
            var markup = Markup()
            markup.appendByScalar(text)
            if Markup.escaped(text) != String(decoding: markup.bytes, as: UTF8.self) {
                Issue.record("\(text.unicodeScalars.map { String($0.value, radix: 16) })")
            }
        }
        // All that a shortcut is taken for, and everything that is unseen.
        for value in Array(0...0x3100) + Array(0xF8F0...0xFFFF) + Array(0xE0000...0xE0200) {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            expect(String(scalar))
            expect("a\(scalar)<")
        }
        for text in ["\u{C2}", "µ", "–", "5 µs – ✓", "\u{1F3F4}\u{E0067}\u{E007F}µ"] { expect(text) }
    }
}
