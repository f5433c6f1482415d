import Foundation
import Gate
import RunModel
import TestSupport
import Testing
import Wording

@Suite struct FailureOriginWordsTests {
    private func verdict(_ kinds: [FailureOrigin.Kind]) throws -> Verdict {
        var verdict = try Verdict(judging: SampleRuns.passing(), by: Policy())
        verdict.failureOrigins = kinds.enumerated().map {
            FailureOrigin(test: TestID(module: "A", suite: "", name: "t\($0)()"), kind: $1)
        }
        return verdict
    }

    private let since = FailureOrigin.FirstFailure(
        run: SampleRuns.id(4), commit: String(repeating: "ab", count: 20), author: "Ana",
        startedAt: Date(timeIntervalSince1970: 1_790_000_000), isFirst: true)

    @Test func `since when is told with what is known`() {
        let run = SampleRuns.id(4).short
        #expect(
            FailureOrigin.Kind.redOnBase(since: since).words
                == "Red on the base already, since run \(run) (commit abababababab by Ana, 2026-09-21).")
        var less = since
        (less.author, less.startedAt, less.isFirst) = (nil, nil, false)
        #expect(less.words == "at least since run \(run) (commit abababababab)")
        less.commit = nil
        #expect(less.words == "at least since run \(run)")
    }

    @Test func `what broke a test is named, or the commits of which it is one`() {
        func suspect(_ letter: Character, _ author: String) -> Culprit.Suspect {
            Culprit.Suspect(
                commit: String(repeating: letter, count: 40), subject: "s", author: author,
                committedAt: Date(timeIntervalSince1970: 1_790_000_000))
        }
        var found = Culprit(
            test: TestID(module: "A", suite: "", name: "t()"), good: "a", bad: "b", suspects: [suspect("c", "Bo")],
            probability: 0.9996, runs: 9, builds: 5, duration: .seconds(1),
            foundAt: Date(timeIntervalSince1970: 1_790_000_000))
        var told = since
        told.culprit = found
        #expect(told.words == "\(since.words); commit cccccccccccc by Bo broke it (99.9 %)")
        found.merge = String(repeating: "e", count: 40)
        #expect(found.words == "commit cccccccccccc by Bo, which eeeeeeeeeeee merged, broke it (99.9 %)")
        found.suspects = [suspect("c", "Bo"), suspect("d", "Cy")]
        found.merge = nil
        #expect(
            found.words == "cccccccccccc or dddddddddddd broke it (99.9 %), of which only the last can be tested")
        found.reason = .passesAtBadEnd
        #expect(found.words == nil)
    }

    @Test func `a failed test that is read alone says what is not known of it, and a list says it once for all`() {
        let unknown = FailureOrigin.Kind.unknown(reason: "no base")
        #expect(unknown.words == nil)
        #expect(unknown.sentence == "Whether it is new is unknown: no base.")
        #expect(FailureOrigin.Kind.new.words == FailureOrigin.Kind.new.sentence)
    }

    @Test func `one sentence counts them`() throws {
        let flaky = FailureOrigin.Kind.flaky(passed: SampleRuns.id(1), failed: SampleRuns.id(2))
        #expect(try verdict([]).originsInShort == nil)
        #expect(try verdict([.new]).originsInShort == nil)
        #expect(
            try verdict([.new, .redOnBase(since: since), .redOnBase(since: since), flaky]).originsInShort
                == "Of 4 failed tests 1 is new, 2 are red on the base already, 1 is flaky.")
        #expect(
            try verdict([.unknown(reason: "no base")]).originsInShort == "Whether it is new is unknown: no base.")
        #expect(
            try verdict([.unknown(reason: "no base"), .unknown(reason: "it did not run")]).originsInShort
                == "Whether they are new is unknown: no base, and others.")
        #expect(
            try verdict([.newTest, .unknown(reason: "it did not run on the base")]).originsInShort
                == "Of 2 failed tests 1 is new; of 1 it is unknown: it did not run on the base.")
    }
}
