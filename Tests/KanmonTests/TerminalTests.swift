import Exports
import Foundation
import RunModel
import TestRunning
import TestSupport
import Testing

@testable import Application

@Suite struct ProgressStateTests {
    private func told(_ news: RunProgress...) -> (lines: [String], state: ProgressState) {
        var state = ProgressState()
        return (news.compactMap { state.take($0) }, state)
    }

    @Test func `a run prints a line for each step and each failure`() {
        let (lines, _) = told(
            .waiting(owner: "run 1\u{1B}[2J"), .began(.describe), .ended(.describe, .seconds(1)), .began(.build),
            .built(3, of: 9), .ended(.build, .milliseconds(1500)), .began(.list), .discovered(3), .began(.test),
            .testStarted(name: "A.a"), .testEnded(name: "A.a", outcome: .passed), .testStarted(name: "A.b"),
            .testEnded(name: "A.b", outcome: .failed),
            .ended(.test, .seconds(2)), .began(.merge), .began(.export)
        )
        #expect(
            lines == [
                "waiting for another run of this package: run 1␛[2J", "building", "built in 1.5 s", "testing",
                "\(Outcome.failed.sign) A.b \(Outcome.failed.label)", "tested in 2.0 s: 2 of 3, 1 failed",
                "reading the coverage",
            ])
    }

    @Test func `the line that moves says where the run is`() {
        #expect(told().state.line(columns: 80) == "")
        #expect(told(.began(.describe)).state.line(columns: 80) == "describe")
        #expect(told(.began(.build)).state.line(columns: 80) == "building")
        #expect(told(.began(.build), .built(3, of: 9)).state.line(columns: 80) == "building 3/9")
        let testing = told(
            .began(.test), .discovered(2), .testEnded(name: "A.a", outcome: .passed), .testStarted(name: "A.b\nc")
        ).state
        #expect(testing.line(columns: 80).hasPrefix("testing 1 of 2 · A.b"))
        #expect(!testing.line(columns: 80).contains("\n"))
        #expect(TerminalText.width(testing.line(columns: 12)) <= 11)
    }

    @Test func `the remaining time of a step is estimated from its progress`() {
        var state = ProgressState()
        for news in [RunProgress.began(.build), .built(20, of: 80)] { _ = state.take(news, at: .seconds(10)) }
        #expect(state.line(columns: 80, at: .seconds(12)) == "building 20/80")
        #expect(state.line(columns: 80, at: .seconds(15)) == "building 20/80, about 15 s left")
        for news in [RunProgress.discovered(100), .began(.test)] { _ = state.take(news, at: .seconds(20)) }
        #expect(state.line(columns: 80, at: .seconds(60)) == "testing 0 of 100")
        _ = state.take(.testEnded(name: "A.a", outcome: .passed), at: .seconds(30))
        #expect(state.line(columns: 80, at: .seconds(30)) == "testing 1 of 100, about 17 min left")
    }

    @Test func `the remaining time of a run is estimated from earlier runs, up to their duration`() throws {
        #expect(ExpectedTime(medianOf: []) == nil)
        let five = try #require(ExpectedTime(medianOf: [.seconds(9), .seconds(300), .seconds(42), .seconds(44)]))
        #expect((five.duration, five.runs) == (.seconds(42), 4))
        var state = ProgressState(expected: five)
        #expect(state.take(.began(.build)) == "building (the last 4 runs took about 42 s, their median)")
        // A run that has nothing to build is over before.
        #expect(state.line(columns: 80, at: .seconds(2)) == "building")
        #expect(state.line(columns: 80, at: .seconds(3)) == "building · about 39 s left in all")
        #expect(state.take(.began(.test), at: .seconds(30)) == "testing")
        #expect(state.line(columns: 80, at: .seconds(41)) == "testing 0 · about 1 s left in all")
        #expect(state.line(columns: 80, at: .seconds(42)) == "testing 0")
        var second = ProgressState(expected: ExpectedTime(medianOf: [.seconds(150)]))
        #expect(second.take(.began(.build)) == "building (the last run took about 3 min)")
        var short = ProgressState(expected: ExpectedTime(medianOf: [.milliseconds(350)]))
        #expect(short.take(.began(.build)) == "building (the last run took less than 1 s)")
    }

    @Test func `a failed build is not shown as built, and unknown numbers of tests are not shown`() {
        #expect(told(.began(.build), .buildFailed(.seconds(12))).lines == ["building", "build failed after 12.0 s"])
        #expect(
            told(.began(.test), .discovered(20), .ended(.test, .seconds(2))).lines == ["testing", "tested in 2.0 s"])
    }

    @Test func `a time is expected only where runs agree`() {
        #expect(ExpectedTime(agreeing: [.seconds(40)]) == nil)
        #expect(ExpectedTime(agreeing: [.seconds(40), .seconds(180)]) == nil)
        #expect(ExpectedTime(agreeing: [.seconds(40), .seconds(48)])?.duration == .seconds(40))
        #expect(ExpectedTime(agreeing: [.seconds(180), .seconds(40), .seconds(42)])?.duration == .seconds(42))
        #expect(ExpectedTime(agreeing: [.seconds(9), .seconds(300), .seconds(42), .seconds(44)]) == nil)
    }

    @Test func `states that say the same are equal`() {
        #expect(told(.began(.build)).state == told(.began(.build)).state)
        #expect(told(.began(.build)).state != told(.began(.test)).state)
    }
}

@Suite struct TextTableTests {
    @Test func `columns are as wide as what is seen`() {
        let table = TextTable.render([["a", "日本", "x"], ["bcd", "e", "y"], ["f"]])
        #expect(table == "a    日本  x\nbcd  e     y\nf")
        #expect(TextTable.render([["a", "b"]], header: ["", "name"]) == "   name\na  b")
    }

    @Test func `nothing is cut, and nothing controls the terminal`() {
        let long = String(repeating: "b", count: 200)
        #expect(TextTable.render([[long, "a"], ["c", long]]).contains("\(long)  a"))
        #expect(TextTable.render([["a\u{1B}[31m\nb"]]).contains("\u{1B}") == false)
        #expect(TextTable.render([], header: ["name"]) == "")
    }
}

@Suite struct HomeTests {
    private func home(_ chosen: String? = nil, _ environment: [String: String]) -> Home {
        Home(chosen, process: ProcessContext(environment: environment, workingDirectory: "/w", arguments: []))
    }

    @Test func `the folders follow the flag, then the XDG directories`() {
        #expect(home("../x", ["HOME": "/u"]).path == "/x")
        #expect(home(nil, ["HOME": "/u"]).path == "/u/.local/state/kanmon")
        #expect(home(nil, ["HOME": "/u", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c"]).path == "/s/kanmon")
        #expect(home(nil, ["HOME": "/u", "XDG_CACHE_HOME": "/c"]).cache == "/c")
        // A relative one is no folder by the specification.
        #expect(home(nil, ["HOME": "/u", "XDG_STATE_HOME": "s"]).path == "/u/.local/state/kanmon")
        #expect(home("/h", [:]).database == "/h/kanmon.sqlite")
    }

    @Test func `a project is one path component, and no two share it`() {
        let names = ["github.com/a/b", "github.com/a_b", "../..", "日本", String(repeating: "x", count: 300)]
        let folders = names.map(Home.folderName)
        #expect(Set(folders).count == names.count)
        #expect(folders.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && $0.utf8.count < 100 })
        // Swift takes the two forms of ü for equal, a file system does not.
        #expect(Home.folderName(for: "u\u{308}") != Home.folderName(for: "\u{FC}"))
        // Half of the SHA-256 of the name: two names of one short hash are found within hours.
        #expect(Home.folderName(for: "Mixed") == "Mixed-f340b6d6edeff46213083fda3e3496b6")
        #expect(Home.folderName(for: "a/b") == "a_b-c14cddc033f64b9dea80ea675cf280a0")
    }
}

@Suite struct ProcessContextTests {
    private let process = ProcessContext(environment: ["NO_COLOR": "1"], workingDirectory: "/w/x", arguments: [])

    @Test func `paths are taken from the working directory`() {
        #expect(process.absolute("a/../b") == "/w/x/b")
        #expect(process.absolute("/a/./b") == "/a/b")
        #expect(process.real("/proc/self/root/tmp") == "/tmp")
        #expect(process.real("none") == "/w/x/none")
        #expect(process.wantsColor(1) == false)
        #expect(process.executable.hasPrefix("/"))
    }

    @Test func `no two seeds are alike`() {
        #expect(process.makeNonce() != process.makeNonce())
        #expect(process.makeNonce().utf8.count == 32)
    }
}
