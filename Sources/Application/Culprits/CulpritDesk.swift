import Exports
import Foundation
import Gate
import Repository
package import RunModel
package import Storage
import TestRunning

/// Answers which commit broke tests of a project, and keeps what was found.
package struct CulpritDesk: Sendable {
    /// How many searches are wanted at a time at most.
    static let mostWanted = 20
    /// How many failing tests are looked at to find those that want a search.
    private static let mostFailing = 1000
    /// How many runs of a branch are looked at to find one in which a test passed.
    private static let mostRuns = 200
    /// How many earlier answers are looked at.
    private static let mostKnown = 1000

    let judge: TreeJudge
    package let project: String
    package let store: RunStore
    /// How long all of it may take.
    let budget: Duration

    package init(judge: TreeJudge, project: String, store: RunStore, budget: Duration) {
        self.judge = judge
        self.project = project
        self.store = store
        self.budget = budget
    }

    /// A search that can begin.
    package struct Question: Sendable {
        let test: TestID
        /// The good end first, the bad end last.
        let line: [LineCommit]
        let knowledge: CulpritKnowledge
    }

    /// A search that nobody has made yet.
    package struct Wanted: Sendable, Hashable {
        package let test: TestID
        /// The commits that the branch had when the test passed last, if that is known, and that it has now, full hexadecimal.
        let good: String?
        let bad: String
    }

    /// The test of a name or a part of it.
    package func test(named text: String) throws -> TestID {
        var (whole, similar): ([TestID], [TestID]) = ([], [])
        try store.forEachTest(project: project) { named in
            let name = named.id.description
            if Name(name) == Name(text) {
                whole.append(named.id)
            } else if name.contains(text) {
                similar.append(named.id)
            }
            return true
        }
        let found = whole.isEmpty ? similar : whole
        guard let test = found.first else {
            throw Problem(
                .usage, "no stored run of \(project) has a test '\(text)'", hint: "kanmon run --commit HEAD")
        }
        guard found.count == 1 else {
            let names = found.prefix(5).map(\.description).joined(separator: ", ")
            throw Problem(
                .usage, "'\(text)' is a part of \(found.count) tests: \(names)", hint: "name one of them whole")
        }
        return test
    }

    /// What there is to search for a test; ends that nobody named are those of stored runs.
    package func question(_ test: TestID, good: String?, bad: String?) async throws -> Question {
        let knowledge = try await CulpritKnowledge(of: test, project: project, in: store, judge)
        let lines = CulpritLines(repository: judge.repository, test: test, knowledge: knowledge)
        return Question(test: test, line: try await lines.line(from: good, to: bad), knowledge: knowledge)
    }

    /// What there is to search for a test that wants it.
    ///
    /// If the commit that passed is not among the ancestors of the other, as after a rewritten history, stored runs of
    /// that line tell.
    package func question(_ wanted: Wanted) async throws -> Question {
        do {
            return try await question(wanted.test, good: wanted.good, bad: wanted.bad)
        } catch is Problem {
            return try await question(wanted.test, good: nil, bad: wanted.bad)
        }
    }

    /// The searches that the tests want which fail in the latest full run of the default branch and passed in an earlier one, unless what
    /// broke them is known, or nobody could be named when the commit that fails was the end of a search.
    package func wanted() throws -> [Wanted] {
        let branch = try store.testedBranch(of: project)
        guard let latest = try store.wholeRuns(project: project, branch: branch, limit: 1).first,
            latest.outcomes.failures > 0, let bad = latest.revision?.commit
        else { return [] }
        let failed = try store.failures(of: latest.id, limit: Self.mostFailing).map(\.id)
        let known = Set(
            try store.culprits(project: project, limit: Self.mostKnown).filter { $0.bad == bad }.map(\.test))
        let regressions = try store.regressions(
            of: failed, project: project, branch: branch, runs: Self.mostRuns)
        let open = regressions.filter { regression in
            regression.culprit == nil && regression.lastPassed != nil && regression.lastPassedOn != bad
                && !known.contains(regression.test)
        }
        return open.prefix(Self.mostWanted).map { Wanted(test: $0.test, good: $0.lastPassedOn, bad: bad) }
    }

    /// Searches one line after the other until the time is over or a signal ends it, and keeps what was found.
    ///
    /// What keeps one of several searches from being made is said, and the next one is made.
    package func answer(_ questions: [Question]) async throws -> (found: [CulpritText], signal: Int32?) {
        let deadline = SuspendingClock.now + budget
        do {
            let (found, signal) = try await InterruptibleRun(process: judge.process).search(for: budget) {
                (progress, show) -> [CulpritText] in
                // Names and messages make no lines of their own.
                let tell: @Sendable (String) -> Void = { show(TerminalText.safe($0)) }
                var found: [CulpritText] = []
                for (number, question) in questions.enumerated() where !Task.isCancelled {
                    do {
                        let text = try await answer(question, deadline, progress, tell)
                        found.append(text)
                        // A search that was cut short was made only if it had all of the time.
                        let isMade = number == 0 && SuspendingClock.now >= deadline
                        if text.culprit.reason != .cutShort || isMade { keep(text.culprit) }
                    } catch {
                        if Task.isCancelled, !found.isEmpty { break }
                        guard questions.count > 1, !Task.isCancelled, let problem = Problem(explaining: error) else {
                            throw error
                        }
                        tell("kanmon: \(question.test): \(problem.reason)")
                    }
                }
                return found
            }
            return (found, signal)
        } catch is BudgetSpent {
            throw Problem(.undecided, "the time was over before the search began", hint: "--budget gives more")
        }
    }

    private func keep(_ culprit: Culprit) {
        do {
            try CulpritLedger(judge.checkpoint.home).add(culprit, project: project)
        } catch {
            StandardStreams.tell(
                "kanmon: warning: what was found is not kept: \(Problem(explaining: error)?.reason ?? "\(error)")")
        }
    }

    private func answer(
        _ question: Question, _ deadline: SuspendingClock.Instant,
        _ progress: @escaping @Sendable (RunProgress) -> Void, _ tell: @escaping @Sendable (String) -> Void
    ) async throws -> CulpritText {
        let (line, begin) = (question.line, SuspendingClock.now)
        tell("\(question.test): \(Figures.counted(line.count - 1, "commit")) between the ends")
        let trial = CulpritTrial(
            judge: judge, project: project, test: question.test, deadline: deadline, progress: progress, tell: tell)
        var hunt = CulpritHunt(
            of: question.test, in: judge.repository, knowing: question.knowledge, until: deadline, tell: tell,
            trial: { commit, way, times in try await trial.report(of: commit, way, times: times) })
        let finding = try await hunt.find(in: line)
        let culprit = Culprit(
            test: question.test, good: line.first?.commit.hexadecimal ?? "",
            bad: line.last?.commit.hexadecimal ?? "",
            suspects: finding.suspects.map { commit in
                Culprit.Suspect(
                    commit: commit.commit.hexadecimal, subject: commit.subject, author: commit.author,
                    committedAt: commit.committedAt)
            },
            probability: finding.probability, merge: finding.merge?.commit.hexadecimal, reason: finding.reason,
            runs: hunt.runs, builds: hunt.builds, duration: SuspendingClock.now - begin,
            // In a file moments are kept in whole seconds.
            foundAt: Date(timeIntervalSince1970: judge.process.now.timeIntervalSince1970.rounded(.down)))
        return CulpritText(culprit: culprit, project: project, detail: finding.detail)
    }
}
