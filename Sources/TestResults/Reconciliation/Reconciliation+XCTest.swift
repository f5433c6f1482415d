import Evidence
import RunModel

extension Reconciliation {
    /// One execution from whichever source there is.
    private struct Execution {
        var attempt: TestAttempt
        var skipReason: String?
        var isOpen = false
    }

    mutating func reconcileXCTest() {
        judgeHearing()
        // Whatever the process was for: nobody else tells of them.
        for stray in evidence.observer?.strayIssues ?? [] { addStray(stray.issue, subject: stray.subject) }
        guard evidence.selection.runsXCTest else { return }
        let listed = evidence.xctestList.map { evidence.selection.requested(xctest: $0.tests) }
        let order: [TestID]
        let executions: [TestID: [Execution]]
        let isConcluded: Bool
        if let records = evidence.observer, records.isOfXCTest {
            (order, executions) = fromObserver(records)
            isConcluded = records.isComplete
        } else {
            (order, executions) = fromConsole(listed)
            isConcluded = evidence.transcript?.isConcluded ?? false
            if !(listed ?? order).isEmpty {
                notes.append(
                    Note(.observerMissing, detail: "\(order.count) results were read from the console")
                )
                if manifest.interop?.rule == .fail, isConcluded,
                    !manifest.gaps.contains(where: { $0.code == .assertionsUnheard })
                {
                    gaps.append(
                        Gap(.assertionsUnheard, detail: "what is loaded into the tests has written nothing down"))
                }
            }
        }
        addResults(order, executions, listed: listed, isConcluded: isConcluded)
    }

    private mutating func addResults(
        _ order: [TestID],
        _ executions: [TestID: [Execution]],
        listed: [TestID]?,
        isConcluded: Bool
    ) {
        var missing: [TestID] = []
        let known = Set(listed ?? [])
        let unlisted = order.filter { !known.contains($0) }
        for id in (listed ?? []) + unlisted {
            let runs = executions[id] ?? []
            // A test may run others, also itself, and XCTest calls all that have one name the same.
            let outcome = runs.map(\.attempt.outcome).max { $0.badness < $1.badness } ?? .notRun
            if outcome == .notRun {
                missing.append(id)
                if !runs.isEmpty { bystanders.append(id) }
            }
            let isSkip = outcome == .skipped
            tests.append(
                TestResult(
                    id: id, library: .xctest, outcome: outcome,
                    attempts: runs.map(\.attempt),
                    skipReason: isSkip ? runs.last { $0.attempt.outcome == .skipped }?.skipReason : nil
                )
            )
        }
        let open = order.filter { executions[$0]?.last?.isOpen == true }
        isSettled[.xctest] = (listed ?? order).isEmpty || isConcluded || !open.isEmpty
        running = open.last
        fillFromXUnit(&missing, library: .xctest)
        if listed != nil, let first = unlisted.first {
            gaps.append(
                Gap(.listMismatch, detail: "\(unlisted.count) results are of tests not listed, the first is \(first)"))
        }
    }

    // MARK: Observer

    private mutating func fromObserver(_ records: ObserverRecords) -> ([TestID], [TestID: [Execution]]) {
        var console = ConsoleMatches(evidence.transcript)
        let crashes: [Int: Crash] = Dictionary(
            (evidence.transcript?.crashes ?? []).compactMap { crash in crash.execution.map { ($0, crash) } },
            uniquingKeysWith: { _, last in last })
        var order: [TestID] = []
        var result: [TestID: [Execution]] = [:]
        var unseen = 0
        for record in records.executions {
            let seen = console.next(record.id)
            var execution = Execution(attempt: TestAttempt(outcome: .passed))
            execution.attempt.issues = record.issues.map(evidence.paths.relative)
            execution.attempt.output = seen?.execution.output?.withoutRest(of: record.issues)
            execution.skipReason = record.skipReason ?? seen?.execution.skipReason
            if let end = record.end {
                execution.attempt.duration = end.duration
                execution.attempt.outcome = outcome(of: end, &execution.attempt.issues)
                if seen?.execution.end == nil { unseen += 1 }
            } else {
                let outcome = outcomeOfOpenTest(record.id.specifier, in: .xctest)
                let crash = seen.flatMap { crashes[$0.index] }
                execution.isOpen = true
                execution.attempt.output = execution.attempt.output?.withoutCrashReport
                execution.attempt.outcome = outcome.keepingFailure(in: record.issues)
                execution.attempt.issues.append(
                    issueOfOpenTest(record.id.specifier, outcome, crash, waits: record.waits, in: .xctest))
            }
            if result[record.id] == nil { order.append(record.id) }
            result[record.id, default: []].append(execution)
        }
        if unseen > 0, evidence.transcript != nil {
            let all = records.executions.count
            notes.append(Note(.outputLost, detail: "the ends of \(unseen) of \(all) tests are not in the transcript"))
        }
        return (order, result)
    }

    private func outcome(of end: ObserverRecords.End, _ issues: inout [Issue]) -> Outcome {
        if end.failures > 0, !issues.contains(where: \.isFailure) {
            issues.append(Issue(message: "\(end.failures) failures were counted, none was described"))
        }
        if issues.contains(where: \.isFailure) { return .failed }
        if end.isSkipped { return .skipped }
        return issues.contains(where: \.isKnown) ? .knownIssue : .passed
    }

    // MARK: Console

    private func fromConsole(_ listed: [TestID]?) -> ([TestID], [TestID: [Execution]]) {
        guard let transcript = evidence.transcript else { return ([], [:]) }
        var candidates: [Name: [TestID]] = [:]
        for id in listed ?? [] { candidates[Name(id.consoleName), default: []].append(id) }
        var counts: [Name: Int] = [:]
        var order: [TestID] = []
        var result: [TestID: [Execution]] = [:]
        for (index, record) in transcript.executions.enumerated() {
            let key = Name(record.name)
            let number = counts[key, default: 0]
            counts[key] = number + 1
            // The console leaves the module out; the same name a second time is the next module's.
            let id = candidates[key].map { $0[min(number, $0.count - 1)] } ?? identity(console: record.name)
            var execution = Execution(attempt: TestAttempt(outcome: .passed))
            execution.attempt.issues = record.issues.map(evidence.paths.relative)
            execution.attempt.output = record.output
            execution.skipReason = record.skipReason
            if let end = record.end {
                execution.attempt.outcome = end.outcome
                execution.attempt.duration = end.duration
            } else {
                let isLast = index == transcript.executions.count - 1 && !transcript.isConcluded
                // The line with its end is lost where another test began after it.
                let outcome = isLast ? outcomeOfOpenTest(id.specifier, in: .xctest) : .notRun
                execution.isOpen = isLast
                execution.attempt.outcome = outcome.keepingFailure(in: record.issues)
                if isLast {
                    let crash = transcript.crashes.last { $0.execution == index }
                    execution.attempt.issues.append(issueOfOpenTest(id.specifier, outcome, crash, in: .xctest))
                }
            }
            if result[id] == nil { order.append(id) }
            result[id, default: []].append(execution)
        }
        return (order, result)
    }

    private func identity(console name: String) -> TestID {
        let modules = manifest.modules.filter { $0.kind == .test }
        let parts = TestPath.split(name[...], at: UInt8(ascii: "."))
        return TestID(
            module: modules.count == 1 ? modules[0].compilerName : "(unknown)",
            suite: parts.dropLast().joined(separator: "/"), name: String(parts.last ?? "")
        )
    }
}

/// Finds the console's execution for each of the observer's: the n-th of a name is the n-th of that name.
private struct ConsoleMatches {
    private var places: [Name: [Int]] = [:]
    private let executions: [Transcript.Execution]

    init(_ transcript: Transcript?) {
        executions = transcript?.executions ?? []
        for (index, execution) in executions.enumerated().reversed() {
            places[Name(execution.name), default: []].append(index)
        }
    }

    mutating func next(_ id: TestID) -> (index: Int, execution: Transcript.Execution)? {
        places[Name(id.consoleName)]?.popLast().map { ($0, executions[$0]) }
    }
}

extension String {
    /// Output without the report of the crash that ended it, of which the result tells what matters.
    fileprivate var withoutCrashReport: String? {
        let marks = ["*** Signal ", "*** Program crashed"]
        let starts = marks.compactMap { self.firstRange(ofBytes: $0)?.lowerBound }
        guard let start = starts.min() else { return self }
        let rest = self[..<start]
        return rest.allSatisfy(\.isNewline) ? nil : String(rest)
    }

    /// Output without the further lines of messages, of which the console shows only the first as a message.
    ///
    /// The console prints messages in their order, so each is looked for after the one before it. One that was left out of
    /// long output is looked for in all that follows, and that is done only so often.
    fileprivate func withoutRest(of issues: [Issue]) -> String? {
        var kept = ""
        var text = self[...]
        var searchesLeft = 100
        for issue in issues where searchesLeft > 0 {
            guard let newline = issue.message.utf8.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            let rest = String(issue.message.utf8[newline...].dropFirst()) ?? ""
            guard !rest.isEmpty else { continue }
            guard let found = text.firstRange(ofBytes: rest + "\n") else {
                searchesLeft -= 1
                continue
            }
            kept.append(contentsOf: text[..<found.lowerBound])
            text = text[found.upperBound...]
        }
        kept.append(contentsOf: text)
        return kept.isEmpty ? nil : kept
    }
}
