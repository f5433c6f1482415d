import RunModel

extension Reconciliation {
    /// Takes results for tests without any from xUnit, where a library's own records are not there at all.
    mutating func fillFromXUnit(_ missing: inout [TestID], library: TestingLibrary) {
        let hasRecords =
            library == .xctest
            ? evidence.observer?.isOfXCTest == true || evidence.transcript != nil : evidence.events != nil
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

    /// How many contradictions of a file are reported one by one.
    private static let mostContradictions = 100

    /// Compares xUnit with the results.
    mutating func compareXUnit() {
        tests.orderByIdentity()
        for (file, report) in evidence.xunit {
            for repair in report.repairs { notes.append(Note(.reportRepaired, subject: file, detail: repair)) }
            compare(report.cases, file)
            guard let truncation = report.truncation else { continue }
            if !report.hasSuite, evidence.events?.hasEnded == true {
                let detail = "the events say that the run has ended, but its report was never written: \(truncation)"
                gaps.append(Gap(.exitWithoutResults, subject: file, detail: detail))
            } else {
                settle(.reportTruncated, file, truncation)
            }
        }
    }

    private mutating func compare(_ cases: [XUnitReport.Case], _ file: String) {
        var (unknown, first): (Int, TestID?) = (0, nil)
        var contradictions = 0
        // For the first of several tests of one name: the one that failed, if any has. So they are looked through once.
        var failed: [Int: Int] = [:]
        for entry in cases {
            // Without discriminators, which come last in an identity, tests of one name stand together.
            let place = tests.partitioningIndex { $0.id >= entry.id }
            guard place < tests.count, tests[place].id.isNamed(like: entry.id) else {
                unknown += 1
                first = first ?? entry.id
                continue
            }
            // Tests of one name cannot be told apart here; but a failure has to be that of one of them.
            let isAlone = place + 1 == tests.count || !tests[place + 1].id.isNamed(like: entry.id)
            guard isAlone || !entry.problems.isEmpty else { continue }
            if !isAlone, failed[place] == nil {
                let named = tests[place...].prefix { $0.id.isNamed(like: entry.id) }
                failed[place] = named.firstIndex { $0.outcome.isFailure } ?? place
            }
            guard let gap = contradiction(of: entry, file, tests[failed[place] ?? place]) else { continue }
            contradictions += 1
            if contradictions <= Self.mostContradictions { gaps.append(gap) }
        }
        if contradictions > Self.mostContradictions {
            let more = contradictions - Self.mostContradictions
            gaps.append(
                Gap(.resultsContradict, subject: file, detail: "\(more) more contradict the tests' own records"))
        }
        guard let first else { return }
        let detail =
            unknown == 1
            ? "it holds \(first), which no other source knows"
            : "it holds \(unknown) tests that no other source knows, the first is \(first)"
        gaps.append(Gap(.listMismatch, subject: file, detail: detail))
    }

    private func contradiction(of entry: XUnitReport.Case, _ file: String, _ test: TestResult) -> Gap? {
        let outcome = test.outcome
        let isFailure = !entry.problems.isEmpty
        // A failure that only xUnit knows, or that it alone does not know. XCTest's writer calls skips and tests that
        // call exit(0) passed; Swift Testing's calls known issues and cancelled tests so.
        let contradicts = isFailure ? !outcome.isFailure : outcome == .failed
        guard contradicts else { return nil }
        return Gap(
            .resultsContradict, subject: test.id.description,
            detail: "\(file) says \(isFailure ? "failed" : "passed"), the test's own records say \(outcome.label)"
        )
    }

    /// A report that is not whole blocks only where nothing else is.
    private mutating func settle(_ code: ReasonCode, _ file: String, _ detail: String) {
        let libraries = Set(tests.map(\.library))
        if libraries.allSatisfy({ isSettled[$0] == true }) {
            notes.append(Note(code, subject: file, detail: detail))
        } else {
            gaps.append(Gap(code, subject: file, detail: detail))
        }
    }
}

extension [TestResult] {
    /// The first place from which on a condition holds, which holds for all behind it.
    fileprivate func partitioningIndex(where holds: (TestResult) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension TestID {
    /// Whether another one differs in nothing but the discriminator.
    func isNamed(like other: TestID) -> Bool {
        self == TestID(module: other.module, suite: other.suite, name: other.name, discriminator: discriminator)
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
