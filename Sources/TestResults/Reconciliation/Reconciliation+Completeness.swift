import Evidence
import RunModel

extension Reconciliation {
    /// Unreadable reports are gaps, unless their library is settled without them.
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
            // No verdict depends on these, or what is missing of them is found out elsewhere.
            case .transcript, .coverageExport, .functionNames, .testMap, .buildLog: isSettled = true
            default: isSettled = false
            }
            if isSettled {
                notes.append(Note(fault.code, subject: fault.file, detail: fault.detail))
            } else {
                gaps.append(Gap(fault.code, subject: fault.file, detail: fault.detail))
            }
        }
        judgeLists()
        // A process that was not started leaves no report; its missing tests are a gap already.
        if evidence.swiftTestingList?.functions.isEmpty == false, evidence.events == nil,
            evidence.selection.runsSwiftTesting, !testSteps(of: .swiftTesting).isEmpty,
            isSettled[.swiftTesting] != true
        {
            gaps.append(Gap(.reportMissing, subject: "swift-testing", detail: "there is no event stream"))
        }
        if let events = evidence.events, events.isTruncated, isSettled[.swiftTesting] != true {
            gaps.append(
                Gap(.reportTruncated, subject: "swift-testing", detail: "the event stream ends within a record"))
        }
    }

    /// Whether the runner found nothing to run: then missing lists and processes are no further gap.
    private var hasNothingToRun: Bool { manifest.gaps.contains { $0.code == .noTests } }

    /// Without a list the expected tests are unknown, unless the records are complete.
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

    /// Whether Swift Testing listed no tests, or the package's own main runs none: then nothing is missing.
    private var hasNoSwiftTests: Bool {
        manifest.notes.contains { $0.code == .ownMain } || manifest.gaps.contains { $0.code == .ownMain }
            || manifest.steps.contains {
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

    /// Whether the end of each test process agrees with the results of its tests.
    mutating func judgeEnd() {
        let steps = evidence.steps
        guard !steps.isEmpty else { return }
        let isTimedOut = evidence.pass.diagnosis != nil || steps.contains(where: \.wasTimedOut)
        if isTimedOut, !tests.contains(where: { $0.outcome == .timedOut }) {
            gaps.append(Gap(.timedOut, detail: "a time limit ended the tests, and no test was running"))
        }
        // A failure explains only the exit status of its own process.
        for library in [nil, .xctest, .swiftTesting] as [TestingLibrary?] {
            judgeEnd(of: steps.filter { $0.library == library }, library)
        }
    }

    /// - Parameter library: The library of the steps; `nil` for both, for which `swift test` has one status.
    private mutating func judgeEnd(of steps: [RunStep], _ library: TestingLibrary?) {
        guard !steps.isEmpty else { return }
        let own = tests.filter { $0.library == library ?? $0.library }
        let name = library.map { "the \($0.name) tests" } ?? "the tests"
        let hasFailure = own.contains { $0.outcome.isFailure }
        let hasOpenTest = own.contains { $0.outcome == .crashed || $0.outcome == .timedOut }
        let bad = steps.map(\.termination).filter { !isSuccess($0, of: own, library) }
        guard !bad.isEmpty, !tests.isEmpty else {
            if hasFailure, !hasOpenTest {
                gaps.append(Gap(.exitContradictsResults, detail: "\(name) exited with 0, though some of them failed"))
            }
            return
        }
        guard !isEndKnown(of: steps, library), !isOfSanitizer(bad, library) else { return }
        let isUnfinished =
            own.contains { $0.outcome == .notRun } || gaps.contains { $0.code == .issueWithoutTest }
        if !hasFailure, !isUnfinished {
            let ends = steps.map(\.termination.words).joined(separator: ", ")
            gaps.append(Gap(.exitContradictsResults, detail: "\(name) \(ends), though none of them failed"))
        } else if !hasOpenTest, !isUnfinished, let end = bad.first(where: { $0 != .exited(1) }) {
            // A test that fails makes its process exit with 1. Anything else happened after the last test.
            gaps.append(Gap(.exitContradictsResults, detail: "\(name) \(end.words), though none of them was running"))
        } else if library == nil, !hasOpenTest, running == nil, let signal = evidence.transcript?.signal {
            // If tests of the other library failed, this is the only trace of a process that crashed after its last
            // test.
            let detail = "signal \(signal) ended a process of the tests, though none of them was running"
            gaps.append(Gap(.exitContradictsResults, detail: detail))
        }
    }

    /// Whether a process ended as it does where no test failed.
    private func isSuccess(_ end: Termination, of own: [TestResult], _ library: TestingLibrary?) -> Bool {
        // Swift Testing's own status for "no tests"; a bundle without any may run beside others.
        let isWithoutTests = end == .exited(69) && library != .xctest
        return end.isSuccess
            || isWithoutTests
                && (!own.contains { $0.outcome.wasExecuted }
                    || evidence.steps.contains { $0.library == library && $0.termination != end })
    }

    /// Whether a sanitizer explains how processes ended: with 66 where it reported a race, of which `swift test` makes 1.
    private func isOfSanitizer(_ ends: [Termination], _ library: TestingLibrary?) -> Bool {
        manifest.notes.contains { $0.code == .sanitizerReport }
            && ends.allSatisfy { $0 == .exited(66) || (library == nil && $0 == .exited(1)) }
    }

    /// Whether another gap explains why processes did not exit with 0: they were ended, or are incomplete.
    private func isEndKnown(of steps: [RunStep], _ library: TestingLibrary?) -> Bool {
        let isLast = library == evidence.steps.last?.library
        return steps.contains(where: \.wasTimedOut) || (isLast && evidence.pass.diagnosis != nil)
            || manifest.gaps.contains { $0.code == .interrupted }
            || isSettled.contains { $0.key == library ?? $0.key && !$0.value }
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
