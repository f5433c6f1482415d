import Foundation
import RunModel
import TestSupport
import Testing

@testable import Pages

@Suite struct LogReaderTests {
    /// The pieces of a line, each as `style|text`.
    private func pieces(_ text: String) -> [String] {
        var reader = LogReader()
        return reader.line(Array(text.utf8)).pieces.map { "\($0.style)|\($0.text)" }
    }

    @Test(arguments: [
        ("plain", ["|plain"]), ("", []), ("\u{1B}[31mred\u{1B}[0m plain", ["ansi-1|red", "| plain"]),
        ("\u{1B}[1;32mgreen\u{1B}[22m thin\u{1B}[39m.", ["ansi-2 ansi-bold|green", "ansi-2| thin", "|."]),
        ("\u{1B}[4mu\u{1B}[24mv\u{1B}[mw", ["ansi-underline|u", "|vw"]),
        ("\u{1B}[94mbright\u{1B}[m", ["ansi-4|bright"]),
        ("\u{1B}[38;5;9ma\u{1B}[38;5;200mb\u{1B}[38;2;1;2;31mc", ["ansi-1|a", "|bc"]),
        ("\u{1B}[48;5;1;33mon red", ["ansi-3|on red"]),
        ("\u{1B}[31;31mtwice\u{1B}[31m the same", ["ansi-1|twice the same"]),
        ("[3/9] a\r[4/9] b", ["|[4/9] b"]), ("dos\r", ["|dos"]), ("\u{1B}[31mbar\rred still", ["ansi-1|red still"]),
        ("\u{1B}[2K\u{1B}[1Gmoved\u{1B}[?25l", ["|moved"]),
        ("\u{1B}]8;;http://x\u{7}link\u{1B}]8;;\u{1B}\\", ["|link"]),
        ("a\u{1B}", ["|a"]), ("a\u{1B}[", ["|a"]), ("a\u{1B}[31", ["|a"]), ("\u{1B}cx", ["|x"]),
        ("tab\there", ["|tab\there"]), ("\u{0}\u{7}\u{202E}x", ["|␀␇⟨U+202E⟩x"]),
        ("\u{1B}[999999999999999999999mx", ["|x"]), ("\u{1B}[31m<b>&\u{1B}[0m", ["ansi-1|<b>&"]),
    ])
    func `colors become classes, and whatever else a terminal would do is left out`(text: String, expected: [String]) {
        #expect(pieces(text) == expected)
    }

    @Test func `a color lasts into the next line, and bytes that are no text are shown as such`() {
        var reader = LogReader()
        _ = reader.line(Array("\u{1B}[31mred".utf8))
        #expect(reader.line([0x61, 0xFF]).pieces == [LogLine.Piece(style: "ansi-1", text: "a\u{FFFD}")])
    }

    @Test func `a flood of colors is not a flood of elements`() {
        let text = (0..<10_000).map { "\u{1B}[3\($0 % 8)mx" }.joined()
        #expect(pieces(text).count == LogReader.mostPieces + 1)
    }
}

@Suite struct LiveStateTests {
    static func entry(_ status: LiveEntry.LiveStatus = .running) -> LiveEntry {
        var run = LiveRun(
            runID: SampleRuns.id(6), project: "example/video-kit",
            revision: Revision(commit: "9f3c2ab1", tree: "41d0e77a", branch: "main", subject: "Decode", isDirty: false),
            startedAt: SamplePages.now.addingTimeInterval(-65), folder: "/runs/6", isPartial: false)
        run.progress.step = .test
        (run.progress.built, run.progress.toBuild) = (345, 345)
        (run.progress.discovered, run.progress.ended, run.progress.failed) = (1200, 61, 1)
        run.progress.failures = ["S/t"]
        run.progress.running = "S/u"
        run.expected = ExpectedTime(medianOf: [.seconds(120), .seconds(130), .seconds(200)])
        return LiveEntry(run, status)
    }

    private func words(_ change: (inout LiveEntry) -> Void) -> [String] {
        var entry = Self.entry()
        change(&entry)
        let state = LiveState(entry, now: SamplePages.now)
        return [state.headline, state.detail, "\(state.permille)"]
    }

    @Test func `the expected time is the median of earlier runs`() {
        #expect(
            words { _ in } == [
                "Testing, 61 of 1,200, 1 failed",
                "About 1 min 5 s left: the median of the last 3 full runs is 2 min 10 s.", "500",
            ])
        #expect(
            words { $0.run.expected = ExpectedTime(medianOf: [.seconds(60)]) } == [
                "Testing, 61 of 1,200, 1 failed", "Longer than usual by 5 s: the last full run took 1 min.", "990",
            ])
        #expect(
            words { $0.run.expected = nil } == [
                "Testing, 61 of 1,200, 1 failed",
                "How long it takes is unknown: no full run on this class of machine is stored.", "50",
            ])
        #expect(
            words { ($0.run.expected, $0.run.isPartial, $0.run.progress.failed) = (nil, true, 0) } == [
                "Testing, 61 of 1,200", "This is a partial run; how long it takes is unknown.", "50",
            ])
    }

    @Test func `a run that is over is not told to run`() {
        #expect(
            words { $0.status = .judging } == [
                "Judging the run", "The evidence is complete. The page of the run will appear in a moment.", "1000",
            ])
        #expect(
            words { $0.status = .gone } == [
                "Aborted: its process is gone",
                "It was ended from outside and left no result, so it is not stored. Run it again.", "500",
            ])
    }

    @Test(arguments: [
        (RunStep.Kind?.none, "Beginning"), (.before, "Running the scripts before the build"),
        (.build, "Building, 345 of 345"), (.list, "Listing the tests"), (.export, "Reading the coverage"),
        (.after, "Running the scripts after the tests"),
    ])
    func `every step has its words`(step: RunStep.Kind?, headline: String) {
        #expect(words { $0.run.progress.step = step }[0] == headline)
    }

    @Test func `a run of another machine says whose it is, and has no log here`() {
        var entry = Self.entry()
        entry.sender = LiveSender(token: "ci", machine: "agent-3")
        let page = LivePage(entry, log: [], now: SamplePages.now)
        #expect(page.sender == "on agent-3, token ci" && page.log.map { _ in true } == nil && page.elsewhere != nil)
        entry.sender?.machine = nil
        #expect(LivePage(entry, log: [], now: SamplePages.now).sender == "on another machine, token ci")
    }

    @Test(arguments: [(0, "0 s"), (59, "59 s"), (60, "1 min"), (125, "2 min 5 s"), (3700, "1 h 1 min")])
    func `a time is written as on a clock`(seconds: Int, words: String) { #expect(LiveState.time(seconds) == words) }
}
