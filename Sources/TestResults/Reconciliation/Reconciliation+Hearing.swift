import Evidence
import RunModel

// Assertions that a library does not hear by itself: those of the other one, and those of XCTest while no test runs.

extension Reconciliation {
    /// Whether assertions were heard that their library does not hear by itself, and which of them fail nothing.
    mutating func judgeHearing() {
        let records = evidence.observer
        let lost = (records?.executions ?? []).filter { $0.isDeaf && !$0.issues.contains(where: \.isFailure) }.map {
            Gap(
                .assertionsUnheard, subject: $0.id.description,
                detail: "it ran another test without a suite; what it asserted after that fails nothing")
        }
        let unheard = (records?.deafness ?? []).map { Gap(.assertionsUnheard, detail: $0) } + lost
        // Whoever takes what `swift test` hears misses nothing, and is told.
        if manifest.interop?.rule == .swiftTest { notes += unheard.map { Note($0) } } else { gaps += unheard }
        noteIgnored(records)
    }

    /// Whether the process of tests of Swift Testing that ran has said that assertions of XCTest are heard in it, or why they are not.
    mutating func judgeSilence() {
        guard manifest.interop?.rule == .fail, manifest.interop?.confirmsHearing == true,
            tests.contains(where: { $0.library == .swiftTesting && $0.outcome.wasExecuted }),
            !manifest.gaps.contains(where: { $0.code == .assertionsUnheard }),
            evidence.observer.map({ $0.heard == 0 && $0.deafness.isEmpty }) ?? true
        else { return }
        let detail = "what listens in tests of Swift Testing has written nothing down"
        gaps.append(Gap(.assertionsUnheard, detail: detail))
    }

    private mutating func noteIgnored(_ records: ObserverRecords?) {
        var ignored = records?.ignoredIssues ?? []
        for function in evidence.events?.functions ?? [] {
            for issue in function.executions.flatMap(\.issues) where issue.isIgnored {
                ignored.append((function.id.test.description, issue))
            }
        }
        ignored += (evidence.events?.strayIssues ?? []).filter(\.issue.isIgnored).map { ($0.suite, $0.issue) }
        guard let first = ignored.first else { return }
        let place = evidence.paths.relative(first.issue.location).map { " at \($0)" } ?? ""
        let count = ignored.count == 1 ? "1 failed assertion fails" : "\(ignored.count) failed assertions fail"
        notes.append(
            Note(
                .assertionsIgnored, subject: first.subject,
                detail: "\(count) no test, the first\(place): \(first.issue.message)"))
    }
}

extension Issue {
    /// Whether it is an assertion of XCTest that fails no test of Swift Testing; what listens there marks it so.
    fileprivate var isIgnored: Bool {
        isWarning && !isKnown && message.hasSuffix(" [of XCTest, ignored as in swift test]")
    }
}

extension Outcome {
    /// How bad it is beside others of one test, for a test that ran several times without being asked for again.
    var badness: Int {
        switch self {
        case .passed: 0
        case .knownIssue: 1
        case .skipped: 2
        case .notRun: 3
        case .failed: 4
        case .timedOut: 5
        case .crashed: 6
        }
    }
}
