import Evidence
import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// The state of a project on its default branch, by the latest full run there; without what failed since when.
    func state(of project: ProjectSummary) throws -> ProjectState {
        let (branch, latest) = try latestState(of: project.name)
        return ProjectState(
            name: project.name, runs: project.runs, branch: branch, latest: latest,
            attempt: latest == nil ? project.latest : nil, regressions: [])
    }

    /// The same with what is counted of what nobody must overlook: entries of the quarantine that have ended or end soon, and flaky tests
    /// that a retry hid.
    func countedState(of project: ProjectSummary) throws -> ProjectState {
        var state = try state(of: project)
        let soon = CalendarDay(now()).adding(days: QuarantineEntry.daysAhead)
        if let latest = state.latest { state.expiring = try store.quarantine(of: latest, endingBy: soon) }
        state.hiddenFlakes = try store.hiddenFlakes(project: project.name, since: flakySince)
        return state
    }

    /// The same with the tests that fail there, and since when: the costliest of it, as it goes back through runs.
    ///
    /// - Parameter owner: Only the tests and the entries of the quarantine that this owner answers for; all when `nil`.
    func watchedState(of project: ProjectSummary, ownedBy owner: String? = nil) throws -> ProjectState {
        var state = try countedState(of: project)
        if let owner { state.expiring.removeAll { Name($0.owner) != Name(owner) } }
        if let latest = state.latest {
            state.regressions = try regressions(
                in: latest, branch: state.branch, most: SheetPage.listedRegressions, ownedBy: owner)
        }
        return state
    }

    /// The default branch of a project, or `nil` where no full run is on it, and the latest full run there, or on any.
    func latestState(of project: String) throws -> (branch: String?, run: RunSummary?) {
        let branch = try store.testedBranch(of: project)
        return (branch, try store.wholeRuns(project: project, branch: branch, limit: 1).first)
    }

    /// How a branch stands; one that no run was on is not found.
    func branchState(_ name: String, of project: String) async throws -> BranchState {
        let runs = try store.wholeRuns(project: project, branch: name, limit: SheetPage.lookedRuns)
        if runs.isEmpty, try store.runs(RunFilter(branch: name), in: .named([project]), limit: 1).isEmpty {
            throw Refusal.notFound
        }
        guard let latest = runs.first else {
            return BranchState(name: name, project: project, runs: [], regressions: [])
        }
        return BranchState(
            name: name, project: project, runs: runs,
            regressions: try regressions(in: latest, branch: name, most: Self.mostTests),
            change: try await change(of: name, latest: latest))
    }

    /// What a branch does to the one that it was made for; `nil` on that one, and where no run of it is stored.
    private func change(of branch: String, latest: RunSummary) async throws -> BranchChange? {
        guard let base = try store.baseRun(of: branch, latest: latest),
            var comparison = try store.comparison(base, latest.id),
            let verdict = try store.verdict(of: latest)
        else { return nil }
        // Of a known tree the branch has the commit, and not that which the run tested.
        comparison.after = latest
        return BranchChange(
            comparison: comparison, lines: try await change(in: comparison), violations: verdict.violations,
            failures: FailureExplanation(verdict), origin: try store.facts(of: latest.id)?.origin)
    }

    /// Tests that fail in the latest run of a branch, or of a project, and since when they do.
    private func regressions(
        in latest: RunSummary, branch: String?, most: Int, ownedBy owner: String? = nil
    ) throws -> [Regression] {
        guard latest.outcomes.failures > 0 else { return [] }
        var failed: [TestResult]
        do {
            failed = try store.failures(of: latest.id, limit: owner == nil ? most : RunOwners.mostTests)
        } catch {
            guard case .unknownRun = error else { throw error }
            // It was removed a moment ago.
            return []
        }
        if let owner {
            let owned = try owned(by: owner, among: failed.map(\.id), project: latest.project)
            failed = Array(failed.filter { owned.contains($0.id) }.prefix(most))
        }
        let results = Dictionary(failed.map { ($0.id, $0) }) { first, _ in first }
        let found = try store.regressions(
            of: failed.map(\.id), project: latest.project, branch: branch, runs: SheetPage.historyOfTest)
        return found.map { found in
            let result = results[found.test]
            var regression = found
            (regression.title, regression.message) = (result?.named.title, result?.firstFailure?.message)
            return regression
        }
    }

    /// Since which run a test fails; `nil` when it did not fail the last time it ran.
    func regression(of test: TestID, among newestFirst: [TestHistoryEntry]) async throws -> Regression? {
        let executed = newestFirst.filter(\.outcome.wasExecuted)
        let failing = executed.prefix(while: \.outcome.isFailure)
        guard let first = failing.last, let since = try store.summary(of: first.run) else {
            return nil
        }
        var lastPassed: RunSummary?
        if let passed = executed.dropFirst(failing.count).first {
            lastPassed = try store.summary(of: passed.run)
        }
        return Regression(test: test, since: since, lastPassed: lastPassed)
    }
}
