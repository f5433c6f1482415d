import RunModel

extension Reconciliation {
    mutating func reconcileSwiftTesting() {
        guard evidence.selection.runsSwiftTesting else { return }
        let listed = evidence.swiftTestingList?.functions ?? []
        let events = evidence.events
        let seen = events?.functions ?? []
        // A filtered run names what it selected before it begins; otherwise everything listed has to run.
        let isSelectionKnown = evidence.selection.isPartial && events?.hasStarted == true
        var functions = seen
        let known = Set(seen.map(\.id))
        if !isSelectionKnown { functions += listed.filter { !known.contains($0.id) } }
        let ids = TestDiscriminators(functions.map(\.id) + listed.map(\.id))
        let open = functions.filter { $0.executions.last?.end == nil && !$0.executions.isEmpty }
        var missing: [TestID] = []
        var running: [TestID] = []
        for function in functions {
            let id = ids[function.id]
            let result = function.result(id: id, paths: evidence.paths) { attemptOfOpenTest($0, open) }
            if result.outcome == .notRun { missing.append(id) }
            if function.executions.last.map({ $0.end == nil }) == true { running.append(id) }
            tests.append(result)
        }
        isSettled[.swiftTesting] = functions.isEmpty || events?.hasEnded == true || !open.isEmpty
        fillFromXUnit(&missing, library: .swiftTesting)
        addNotRun(missing, of: functions.count, running: running)
        for stray in events?.strayIssues ?? [] { addStray(stray.issue, subject: stray.suite) }
        compareLists(seen, listed, ids)
        if isSettled[.swiftTesting] == false, missing.isEmpty, events?.hasStarted == true {
            gaps.append(
                Gap(.exitWithoutResults, detail: "Swift Testing did not come to its end, though no test was running"))
        }
    }

    private mutating func compareLists(
        _ seen: [EventStream.Function],
        _ listed: [EventStream.Function],
        _ ids: TestDiscriminators
    ) {
        guard evidence.swiftTestingList != nil else { return }
        let known = Set(listed.map(\.id))
        let unlisted = seen.filter { !known.contains($0.id) }
        guard let first = unlisted.first else { return }
        let name = ids[first.id]
        gaps.append(
            Gap(.listMismatch, detail: "\(unlisted.count) results are of tests not listed, the first is \(name)"))
    }

    private func attemptOfOpenTest(_ function: EventStream.Function, _ open: [EventStream.Function]) -> TestAttempt {
        let outcome = outcomeOfOpenTest(in: .swiftTesting)
        let crash = outcome == .crashed ? crash(of: function, open: open) : nil
        return TestAttempt(outcome: outcome, issues: [issueOfOpenTest(outcome, crash, in: .swiftTesting)])
    }

    /// The crash that ended the process, for the test whose function is on its stack.
    ///
    /// Several tests may have been running. Where the stack names none of them, each gets the cause.
    private func crash(of function: EventStream.Function, open: [EventStream.Function]) -> Crash? {
        let crashes = (evidence.transcript?.crashes ?? []).filter { crash in
            // One in an XCTest case is that case's.
            crash.execution.map { evidence.transcript?.executions[$0].end != nil } ?? true
        }
        guard let last = crashes.last else { return nil }
        let owners = open.filter { other in last.frames.contains { Self.names($0, other.id.test) } }
        return owners.isEmpty || owners.contains { $0.id == function.id } ? last : nil
    }

    /// Whether a frame is of a test's function: `Suite.function(argument:)` with types the identity does not hold.
    private static func names(_ frame: Crash.Frame, _ test: TestID) -> Bool {
        let stem = test.name.prefix { $0 != "(" }
        let suite = test.suite.split(separator: "/").last.map { "\($0)." } ?? ""
        return frame.function[...].firstRange(ofBytes: "\(suite)\(stem)(") != nil
    }
}
