import Foundation
import Gate
import Repository
import RunModel
import TestRunning
import TestSupport
import Testing

@testable import Application

/// The search through histories of git, of which a closure says how the test ends on a commit.
@Suite struct CulpritHuntTests {
    private let history: CulpritHistory

    /// What was found, by the messages of commits.
    private struct Found: Equatable {
        var suspects: [String]
        var merge: String?
        var reason: CulpritSearch.Reason?
        var detail: String?
    }

    init() async throws { history = try await CulpritHistory() }

    /// A report of a test that ended so on a commit; `nil` if the commit does not build.
    private static func report(_ tally: TrialTally?) -> TrialReport {
        var report = TrialReport()
        report.preparing = .seconds(2)
        guard let tally else {
            report.obstacle = .notBuilt("error")
            return report
        }
        var round = TrialReport.Round()
        round.entries = [TrialReport.Entry(test: CulpritHistory.test, tally: tally)]
        round.duration = .seconds(tally.executions)
        round.isComplete = true
        report.rounds = [round]
        return report
    }

    /// Searches between two revisions.
    private func find(
        from good: String, to bad: String = "main", within budget: Duration = .seconds(60),
        trial: @escaping CulpritHunt.Trial
    ) async throws -> Found {
        let question = try await history.desk.question(CulpritHistory.test, good: good, bad: bad)
        var hunt = CulpritHunt(
            of: CulpritHistory.test, in: history.repository, knowing: question.knowledge,
            until: SuspendingClock.now + budget, tell: { _ in }, trial: trial)
        let finding = try await hunt.find(in: question.line)
        #expect(finding.reason != nil || finding.probability >= 0.98)
        return Found(
            suspects: finding.suspects.map(\.subject), merge: finding.merge?.subject, reason: finding.reason,
            detail: finding.detail)
    }

    /// Searches where the test fails on the commits with these messages, and some do not build.
    private func find(
        from good: String, failing: Set<String>, unbuilt: Set<String> = []
    ) async throws -> Found {
        try await find(from: good) { commit, _, times in
            if unbuilt.contains(commit.subject) { return Self.report(nil) }
            return Self.report(
                failing.contains(commit.subject) ? TrialTally(failed: times) : TrialTally(passed: times))
        }
    }

    /// A branch of three commits, `t1` to `t3`, that left the main one at its first commit, and is merged into it as `merge`.
    private func mergeTopic() async throws {
        try await history.commit("a")
        try await history.branch("topic", from: "main")
        try await history.commit("t1", "t2", "t3")
        try await history.folder.git("checkout", "--quiet", "main")
        try await history.commit("b")
        try await history.merge("topic", into: "main", as: "merge")
        try await history.commit("c")
    }

    @Test func `a commit that a merge brought is named with the merge`() async throws {
        try await mergeTopic()
        #expect(
            try await find(from: "main~3", failing: ["t2", "t3", "merge", "c"])
                == Found(suspects: ["t2"], merge: "merge"))
        #expect(
            try await find(from: "main~3", failing: ["t1", "t2", "t3", "merge", "c"], unbuilt: ["t1"])
                == Found(suspects: ["t1", "t2"], merge: "merge"))
    }

    @Test func `a merge that broke what neither of its sides had broken is named itself`() async throws {
        try await mergeTopic()
        #expect(try await find(from: "main~3", failing: ["merge", "c"]) == Found(suspects: ["merge"]))
        #expect(try await find(from: "main~3", failing: ["c"]) == Found(suspects: ["c"]))
    }

    @Test func `a merge is named alone where the test failed before its branch began`() async throws {
        try await mergeTopic()
        // It was mended by "b", and is broken by what lacks that.
        #expect(
            try await find(from: "main~2", failing: ["a", "t1", "t2", "t3", "merge", "c"])
                == Found(suspects: ["merge"], detail: "Which of the merged commits it was is not known."))
    }

    @Test func `a commit that came by a merge within a merge is named with the outer one`() async throws {
        try await history.commit("a")
        try await history.branch("side", from: "main")
        try await history.commit("s1", "s2")
        try await history.branch("topic", from: "main")
        try await history.commit("t1")
        try await history.merge("side", into: "topic", as: "inner")
        try await history.folder.git("checkout", "--quiet", "main")
        try await history.commit("b")
        try await history.merge("topic", into: "main", as: "outer")
        #expect(
            try await find(from: "main~2", failing: ["s2", "inner", "outer"])
                == Found(suspects: ["s2"], merge: "outer"))
        #expect(
            try await find(from: "main~2", failing: ["inner", "outer"]) == Found(suspects: ["inner"], merge: "outer"))
    }

    @Test func `a merge of several branches, or of one that begins nowhere, is named as it is`() async throws {
        try await history.commit("a")
        for name in ["x", "y"] {
            try await history.branch(name, from: "main")
            try await history.commit(name)
        }
        try await history.folder.git("checkout", "--quiet", "main")
        try await history.commit("b")
        try await history.merge("x", "y", into: "main", as: "octopus")
        let octopus = try await find(from: "main~1", failing: ["x", "octopus"])
        #expect(octopus.suspects == ["octopus"])
        #expect(octopus.detail?.hasSuffix(": it merges several branches at once.") == true)

        try await history.folder.git("checkout", "--quiet", "--orphan", "other")
        try await history.commit("o")
        try await history.folder.git("checkout", "--quiet", "main")
        try await history.folder.git(
            "merge", "--quiet", "--no-ff", "--allow-unrelated-histories", "--message", "joined", "other")
        let joined = try await find(from: "main~1", failing: ["o", "joined"])
        #expect(joined.suspects == ["joined"])
        #expect(joined.detail?.hasSuffix(": where they left the branch is not in this clone.") == true)
    }

    @Test(.slow)
    func `commits that cannot be tested are named with the next one, unless they are too many`() async throws {
        try await history.commit("a", "f1", "f2", "f3")
        #expect(
            try await find(from: "main~3", failing: ["f3"], unbuilt: ["f1", "f2"])
                == Found(suspects: ["f1", "f2", "f3"]))
        for number in 1...CulpritHunt.mostSuspects { try await history.commit("u\(number)") }
        try await history.commit("b")
        let unbuilt = Set((1...CulpritHunt.mostSuspects).map { "u\($0)" })
        let many = try await find(from: "main~21", failing: ["b"], unbuilt: unbuilt)
        #expect(many.reason == .severalLeft)
        #expect(many.suspects.count == CulpritHunt.mostSuspects)
        #expect(many.detail == "It is one of 21 commits, of which only the last can be tested.")
    }

    @Test func `a test that passes alone is run among all others in the whole search`() async throws {
        try await history.commit("a", "b", "c", "d")
        let found = try await find(from: "main~3") { commit, way, times in
            let fails = way != .alone && ["c", "d"].contains(commit.subject)
            return Self.report(fails ? TrialTally(failed: times) : TrialTally(passed: times))
        }
        #expect(found == Found(suspects: ["c"]))
    }

    @Test func `what keeps an end from being tested is said, and any other failure ends the search`() async throws {
        try await history.commit("a", "b", "c")
        let gap = try await find(from: "main~2") { commit, _, times in
            if commit.subject == "c" { throw CulpritTrial.Unusable(why: "it is not laid out exactly: sub") }
            return Self.report(TrialTally(passed: times))
        }
        #expect(gap == Found(suspects: [], reason: .badEndNotTested, detail: "it is not laid out exactly: sub"))
        await #expect(throws: Problem.self) {
            _ = try await find(from: "main~2") { _, _, _ in throw Problem(.ioError, "the disk is full") }
        }
    }

    @Test func `a tree that is not laid out as it is in git is not tested`() async throws {
        try history.folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"kit\")\n",
            to: "work/Package.swift")
        try await history.commit("a")
        try FileManager.default.createSymbolicLink(
            atPath: "\(history.folder.work)/out", withDestinationPath: "/etc/hostname")
        try await history.commit("b")
        let line = try await history.desk.question(CulpritHistory.test, good: "main~1", bad: "main").line
        let trial = CulpritTrial(
            judge: history.desk.judge, project: CulpritHistory.project, test: CulpritHistory.test,
            deadline: SuspendingClock.now + .seconds(60), progress: { _ in }, tell: { _ in })
        let error = await #expect(throws: CulpritTrial.Unusable.self) {
            _ = try await trial.report(of: line[1], .alone, times: 1)
        }
        #expect(error?.why.hasPrefix("it is not laid out exactly: ") == true)
    }

    @Test func `a search that has no time, and one that loses it, name nobody`() async throws {
        try await history.commit("a", "b", "c", "d")
        let none = try await find(from: "main~3", within: .zero) { _, _, _ in Self.report(nil) }
        #expect(none == Found(suspects: [], reason: .cutShort))
        // A test that comes to no end before the time is over has neither passed nor failed.
        let lost = try await find(from: "main~3") { commit, _, times in
            guard ["a", "d"].contains(commit.subject) else {
                var report = Self.report(TrialTally())
                report.rounds[0].isComplete = false
                return report
            }
            return Self.report(commit.subject == "d" ? TrialTally(failed: times) : TrialTally(passed: times))
        }
        #expect(lost.reason == .cutShort)
    }
}
