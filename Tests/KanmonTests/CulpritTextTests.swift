import Exports
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Application

/// What a search has found, on a terminal and as JSON.
@Suite struct CulpritTextTests {
    private func culprit(
        _ commits: Character..., reason: CulpritSearch.Reason? = nil, words: String = "Parse signs",
        author: String = "Ana"
    ) -> Culprit {
        func name(_ letter: Character) -> String { String(repeating: letter, count: 40) }
        return Culprit(
            test: TestID(module: "A", suite: "S", name: "t()"), good: name("a"), bad: name("d"),
            suspects: commits.map { commit in
                Culprit.Suspect(
                    commit: name(commit), subject: words, author: author, committedAt: SampleRuns.moment)
            },
            probability: 0.99967, reason: reason, runs: 9, builds: 5, duration: .seconds(125),
            foundAt: SampleRuns.moment)
    }

    @Test func `a commit, several, and none have their words`() {
        var found = culprit("c")
        let last = "9 runs of 5 commits in 2 min 5 s, between aaaaaaaaaaaa and dddddddddddd."
        #expect(
            CulpritText(culprit: found, project: "p").text == """
                cccccccccccc broke A.S/t() (99.9 %).
                  Parse signs
                  Ana, 2026-01-02
                \(last)
                """)
        found.merge = String(repeating: "e", count: 40)
        #expect(
            CulpritText(culprit: found, project: "p", detail: "More.").text == """
                cccccccccccc broke A.S/t() (99.9 %).
                  Parse signs
                  Ana, 2026-01-02
                  merged by eeeeeeeeeeee
                  More.
                \(last)
                """)
        #expect(
            CulpritText(culprit: culprit("b", "c"), project: "p").text == """
                One of 2 commits broke A.S/t() (99.9 %); only the last of them can be tested:
                  bbbbbbbbbbbb Parse signs (Ana, 2026-01-02)
                  cccccccccccc Parse signs (Ana, 2026-01-02)
                \(last)
                """)
        #expect(
            CulpritText(culprit: culprit("c", reason: .cutShort), project: "p", detail: "More.").text == """
                No commit can be named for A.S/t(). The search was ended before a commit was certain.
                  More.
                Most probable so far (99.9 %):
                  cccccccccccc Parse signs (Ana, 2026-01-02)
                \(last)
                """)
    }

    @Test func `what a commit says leaves its line and its string nowhere`() throws {
        let hostile = SampleRuns.hostile
        for found in [
            culprit("c", words: hostile, author: hostile), culprit("b", "c", words: hostile, author: hostile),
            culprit("c", reason: .cutShort, words: hostile, author: hostile),
        ] {
            let text = CulpritText(culprit: found, project: hostile, detail: hostile)
            let plain = CulpritText(culprit: plain(found), project: "p", detail: "d")
            let list = CulpritText.list([found], now: SampleRuns.moment)
            #expect(lines(text.text) == lines(plain.text))
            #expect(lines(list) == 2)
            for shown in [text.text, list] {
                #expect(!shown.contains("\u{1B}") && !shown.contains("\u{202E}") && !shown.contains("\n::"))
            }
            let bytes = Data(try JSONText.render(text).utf8)
            let json = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
            let commits = try #require(json["commits"] as? [[String: Any]])
            #expect(commits.allSatisfy { $0["subject"] as? String == hostile && $0["author"] as? String == hostile })
            #expect(json["project"] as? String == hostile)
            #expect(json["detail"] as? String == hostile)
            #expect(json["probability"] as? String == "0.999")
            #expect(json["named"] as? Bool == (found.reason == nil))
        }
    }

    /// The same without anything hostile.
    private func plain(_ other: Culprit) -> Culprit {
        var plain = other
        for index in plain.suspects.indices {
            plain.suspects[index].subject = "s"
            plain.suspects[index].author = "a"
        }
        return plain
    }

    private func lines(_ text: String) -> Int { text.split(separator: "\n").count }
}
