import Foundation
import Gate
import Repository
import RunModel
import Storage
import TestRunning

/// Answers which commit broke tests of a project, and keeps what was found.
struct CulpritDesk: Sendable {
    /// So many searches are wanted at a time at most.
    private static let mostWanted = 20
    /// So many runs of a branch are looked at for those in which a test passed.
    private static let mostRuns = 200
    /// So many earlier answers are looked at.
    private static let mostKnown = 1000

    let judge: TreeJudge
    let project: String
    let store: RunStore
    /// How long all of it may take.
    let budget: Duration

    /// A search that can begin.
    struct Question: Sendable {
        let test: TestID
        /// The good end first, the bad end last.
        let line: [LineCommit]
        let knowledge: CulpritKnowledge
    }

    /// A search that nobody has made yet.
    struct Wanted: Sendable, Hashable {
        let test: TestID
        /// The commits of stored runs, full hexadecimal.
        let good: String
        let bad: String
    }

    /// The test of a name or a part of it.
    func test(named text: String) throws -> TestID {
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
    func question(_ test: TestID, good: String?, bad: String?) async throws -> Question {
        let knowledge = try await CulpritKnowledge(of: test, project: project, in: store, judge)
        let lines = CulpritLines(repository: judge.repository, test: test, knowledge: knowledge)
        return Question(test: test, line: try await lines.line(from: good, to: bad), knowledge: knowledge)
    }

    /// The searches that the tests want which fail on the default branch: those between the last run in which one passed and the latest
    /// one, unless that was searched before.
    func wanted() throws -> [Wanted] {
        let branch = try store.testedBranch(of: project)
        guard let latest = try store.wholeRuns(project: project, branch: branch, limit: 1).first,
            latest.outcomes.failures > 0, let bad = latest.revision?.commit,
            let run = try store.run(latest.id, RunPart(tests: .notable, files: .none))?.run
        else { return [] }
        let failed = run.tests.filter(\.outcome.isFailure).map(\.id).prefix(Self.mostWanted)
        let known = try store.culprits(project: project, limit: Self.mostKnown)
        let regressions = try store.regressions(
            of: Array(failed), project: project, branch: branch, runs: Self.mostRuns)
        return regressions.compactMap { regression in
            guard regression.culprit == nil, let good = regression.lastPassed?.revision?.commit, good != bad else {
                return nil
            }
            let isKnown = known.contains { $0.test == regression.test && $0.good == good && $0.bad == bad }
            return isKnown ? nil : Wanted(test: regression.test, good: good, bad: bad)
        }
    }

    /// Searches one line after the other until the time is over or a signal ends it, and keeps what was found.
    func answer(_ questions: [Question]) async throws -> (found: [CulpritText], signal: Int32?) {
        let deadline = SuspendingClock.now + budget
        let outcome: (value: [CulpritText], signal: Int32?)
        do {
            outcome = try await Watched(surroundings: judge.surroundings).search(for: budget) {
                (progress, tell) -> [CulpritText] in
                var found: [CulpritText] = []
                for question in questions where !Task.isCancelled {
                    do {
                        found.append(try await answer(question, deadline, progress, tell))
                    } catch {
                        // What was found before is not lost by what was not begun.
                        guard Task.isCancelled, !found.isEmpty else { throw error }
                    }
                }
                return found
            }
        } catch is BudgetSpent {
            throw Problem(.undecided, "the time was over before the search began", hint: "--budget gives more")
        }
        let ledger = CulpritLedger(judge.checkpoint.home)
        for entry in outcome.value where outcome.signal == nil || entry.culprit.reason != .cutShort {
            do {
                try ledger.add(entry.culprit, project: project)
            } catch {
                StandardStreams.tell(
                    "kanmon: warning: what was found is not kept: \(Problem(explaining: error)?.reason ?? "\(error)")")
            }
        }
        return (outcome.value, outcome.signal)
    }

    private func answer(
        _ question: Question, _ deadline: SuspendingClock.Instant,
        _ progress: @escaping @Sendable (RunProgress) -> Void, _ tell: @escaping @Sendable (String) -> Void
    ) async throws -> CulpritText {
        let (line, begin) = (question.line, SuspendingClock.now)
        tell("\(question.test): \(Figures.counted(line.count - 1, "commit")) between the ends")
        var hunt = CulpritHunt(
            judge, project: project, test: question.test, knowledge: question.knowledge, deadline: deadline,
            progress: progress, tell: tell)
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
            foundAt: Date(timeIntervalSince1970: judge.surroundings.now.timeIntervalSince1970.rounded(.down)))
        return CulpritText(culprit: culprit, project: project, detail: finding.detail)
    }
}
