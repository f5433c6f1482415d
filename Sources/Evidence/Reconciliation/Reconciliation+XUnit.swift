import RunModel

extension Reconciliation {
    /// Takes results for tests without any from xUnit, where a library's own records are not there at all.
    mutating func fillFromXUnit(_ missing: inout [TestID], library: TestingLibrary) {
        let hasRecords =
            library == .xctest ? evidence.observer != nil || evidence.transcript != nil : evidence.events != nil
        guard !missing.isEmpty, !hasRecords else { return }
        var cases: [TestID: XUnitReport.Case] = [:]
        for (_, report) in evidence.xunit {
            for entry in report.cases where cases[entry.id] == nil { cases[entry.id] = entry }
        }
        var filled = 0
        for index in tests.indices where tests[index].library == library && tests[index].outcome == .notRun {
            guard let entry = cases[tests[index].id] else { continue }
            filled += 1
            tests[index].take(entry)
        }
        guard filled > 0 else { return }
        missing.removeAll { cases[$0] != nil }
        if missing.isEmpty, evidence.xunit.allSatisfy({ $0.report.truncation == nil }) { isSettled[library] = true }
        notes.append(
            Note(.reportMissing, subject: library.rawValue, detail: "\(filled) results were read from xUnit XML"))
    }

    /// Holds xUnit against the results.
    mutating func compareXUnit() {
        var places: [TestID: [Int]] = [:]
        for (index, test) in tests.enumerated() {
            let id = TestID(module: test.id.module, suite: test.id.suite, name: test.id.name)
            places[id, default: []].append(index)
        }
        for (file, report) in evidence.xunit {
            for repair in report.repairs { notes.append(Note(.reportRepaired, subject: file, detail: repair)) }
            for entry in report.cases { compare(entry, file, places[entry.id] ?? []) }
            guard let truncation = report.truncation else { continue }
            if !report.hasSuite, evidence.events?.hasEnded == true {
                let detail = "the events say that the run has ended, but its report was never written: \(truncation)"
                gaps.append(Gap(.exitWithoutResults, subject: file, detail: detail))
            } else {
                settle(.reportTruncated, file, truncation, report)
            }
        }
    }

    private mutating func compare(_ entry: XUnitReport.Case, _ file: String, _ found: [Int]) {
        guard !found.isEmpty else {
            gaps.append(Gap(.listMismatch, subject: file, detail: "it holds \(entry.id), which no other source knows"))
            return
        }
        // Two tests of one name cannot be told apart here.
        guard found.count == 1, let index = found.first else { return }
        let outcome = tests[index].outcome
        let isFailure = !entry.problems.isEmpty
        // A failure that only xUnit knows, or that it alone does not know. XCTest's writer calls skips and tests that
        // call exit(0) passed; Swift Testing's calls known issues and cancelled tests so.
        let contradicts = isFailure ? !outcome.isFailure : outcome == .failed
        guard contradicts else { return }
        gaps.append(
            Gap(
                .resultsContradict, subject: tests[index].id.description,
                detail: "\(file) says \(isFailure ? "failed" : "passed"), the test's own records say \(outcome.label)"
            )
        )
    }

    /// A report that is not whole blocks only where nothing else is.
    private mutating func settle(_ code: ReasonCode, _ file: String, _ detail: String, _ report: XUnitReport) {
        let libraries = Set(tests.map(\.library))
        if libraries.allSatisfy({ isSettled[$0] == true }) {
            notes.append(Note(code, subject: file, detail: detail))
        } else {
            gaps.append(Gap(code, subject: file, detail: detail))
        }
    }
}

extension TestResult {
    /// Takes everything from an xUnit case, the only source there is.
    mutating func take(_ entry: XUnitReport.Case) {
        func issues(_ problems: [XUnitReport.Problem]) -> [Issue] {
            problems.map { problem in
                Issue(message: problem.text.isEmpty ? problem.message : "\(problem.message)\n\(problem.text)")
            }
        }
        location = location ?? entry.location
        attempts += entry.reruns.map { TestAttempt(outcome: .failed, issues: issues([$0])) }
        guard !entry.isSkipped || !entry.problems.isEmpty else {
            outcome = .skipped
            skipReason = entry.skipReason
            return
        }
        outcome = entry.problems.isEmpty ? .passed : .failed
        attempts.append(
            TestAttempt(
                outcome: outcome, duration: entry.duration, issues: issues(entry.problems), output: entry.output
            )
        )
    }
}
