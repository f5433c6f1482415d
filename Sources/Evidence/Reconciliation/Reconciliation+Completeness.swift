import RunModel

extension Reconciliation {
    /// Reports that could not be read: a gap, unless the library they speak of is settled without them.
    mutating func judgeFaults() {
        for fault in evidence.faults {
            let isSettled: Bool
            switch fault.role {
            case .xctestList, .swiftTestingList:
                gaps.append(Gap(.listUnavailable, subject: fault.file, detail: fault.detail))
                continue
            case .xunit: isSettled = Set(tests.map(\.library)).allSatisfy { self.isSettled[$0] == true }
            case .observerRecords: isSettled = self.isSettled[.xctest] == true
            case .eventStream: isSettled = self.isSettled[.swiftTesting] == true && evidence.events != nil
            default: isSettled = true
            }
            if isSettled {
                notes.append(Note(fault.code, subject: fault.file, detail: fault.detail))
            } else {
                gaps.append(Gap(fault.code, subject: fault.file, detail: fault.detail))
            }
        }
        judgeLists()
        if evidence.swiftTestingList?.functions.isEmpty == false, evidence.events == nil,
            evidence.selection.runsSwiftTesting,
            isSettled[.swiftTesting] != true
        {
            gaps.append(Gap(.reportMissing, subject: "swift-testing", detail: "there is no event stream"))
        }
        if let events = evidence.events, events.isTruncated, isSettled[.swiftTesting] != true {
            gaps.append(
                Gap(.reportTruncated, subject: "swift-testing", detail: "the event stream ends within a record"))
        }
    }

    /// Whether the runner found no test target: then that nothing was listed or started is no second gap.
    private var hasNothingToRun: Bool { manifest.gaps.contains { $0.code == .noTests } }

    /// Without a list nobody knows what should have run; what came to its own end settles it.
    private mutating func judgeLists() {
        let hasFault = evidence.faults.contains { $0.role == .xctestList || $0.role == .swiftTestingList }
        let isKnown = manifest.gaps.contains { $0.code == .listUnavailable }
        guard !hasFault, !isKnown, !hasNothingToRun else { return }
        if evidence.selection.runsXCTest, evidence.xctestList == nil {
            judgeMissingList(.xctest, isComplete: evidence.observer?.isComplete == true)
        }
        if evidence.selection.runsSwiftTesting, evidence.swiftTestingList == nil, !hasNoSwiftTests {
            judgeMissingList(.swiftTesting, isComplete: evidence.events?.hasStarted == true)
        }
    }

    /// Whether Swift Testing was asked for its list and said that it has none: then nothing is missing.
    private var hasNoSwiftTests: Bool {
        manifest.steps.contains {
            $0.kind == .list && $0.arguments.contains("--testing-library") && $0.termination == .exited(69)
        }
    }

    private mutating func judgeMissingList(_ library: TestingLibrary, isComplete: Bool) {
        let detail = "the tests that exist were not listed"
        if isComplete {
            notes.append(Note(.listUnavailable, subject: library.rawValue, detail: detail))
        } else {
            gaps.append(Gap(.listUnavailable, subject: library.rawValue, detail: detail))
        }
    }

    /// The run as a whole: did the tests start, did any run, does the exit status agree.
    mutating func judgeCompleteness() {
        let steps = manifest.steps.filter { $0.kind == .test }
        let hasFailure = tests.contains { $0.outcome.isFailure }
        judgeProfiles(isExplained: tests.contains { $0.outcome == .crashed || $0.outcome == .timedOut })
        guard !steps.isEmpty else {
            if !hasNothingToRun, !manifest.gaps.contains(where: { $0.code == .timedOut || $0.code == .interrupted }) {
                let isLate = manifest.steps.contains(where: \.wasTimedOut)
                gaps.append(Gap(isLate ? .timedOut : .testsNotRun, detail: "the tests were not started"))
            }
            return
        }
        if steps.contains(where: \.wasTimedOut), !tests.contains(where: { $0.outcome == .timedOut }) {
            gaps.append(Gap(.timedOut, detail: "a time limit ended the tests, and no test was running"))
        }
        if tests.isEmpty {
            let isUnknown = gaps.contains { $0.code == .listUnavailable }
            let ends = steps.map(\.termination.words).joined(separator: ", ")
            gaps.append(
                Gap(
                    .noTests,
                    detail: evidence.selection.isPartial
                        ? "no test matches the filter"
                        : isUnknown ? "no library left a result; the tests \(ends)" : "there are no tests"
                ))
        } else if tests.allSatisfy({ $0.outcome == .skipped }) {
            gaps.append(Gap(.allSkipped, detail: "all \(tests.count) tests were skipped"))
        }
        let isSuccess = steps.allSatisfy { step in
            // Swift Testing's own status for "no tests", and SwiftPM's 1 for the same.
            step.termination.isSuccess || step.termination == .exited(69) || tests.isEmpty
        }
        let isExplained = gaps.contains { [.testsNotRun, .issueWithoutTest, .exitWithoutResults].contains($0.code) }
        let hasOpenTest = tests.contains { $0.outcome == .crashed || $0.outcome == .timedOut }
        if isSuccess, hasFailure, !hasOpenTest {
            gaps.append(Gap(.exitContradictsResults, detail: "the tests exited with 0, though tests failed"))
        } else if !isSuccess, !hasFailure, !isExplained, !steps.contains(where: \.wasTimedOut),
            !manifest.gaps.contains(where: { $0.code == .interrupted })
        {
            let ends = steps.map { "\($0.termination.words)" }.joined(separator: ", ")
            gaps.append(Gap(.exitContradictsResults, detail: "the tests \(ends), though no test failed"))
        }
    }

    private mutating func judgeProfiles(isExplained: Bool) {
        let empty = manifest.profiles.count { $0 == 0 }
        guard empty > 0 else { return }
        let detail = "\(empty) of \(manifest.profiles.count) profiles are empty"
        if isExplained {
            notes.append(Note(.profileEmpty, detail: detail))
        } else {
            gaps.append(Gap(.profileEmpty, detail: detail))
        }
    }
}

extension Termination {
    /// How a process ended, in words.
    var words: String {
        switch self {
        case .exited(let status): "exited with \(status)"
        case .signaled(let signal): "were ended by signal \(signal)"
        }
    }
}
