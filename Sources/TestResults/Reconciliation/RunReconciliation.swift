import Evidence
import RunModel

/// What the passes of a run say together.
///
/// A test that a crash or a time limit left behind has its end in a later pass; then that it had none before is no gap. A
/// crash and a time-out stand, whatever a later pass says; a failure stands unless the test passes in a retry.
struct RunReconciliation {
    private let manifest: RunManifest
    private let passes: [Reconciliation]
    private var results: [TestID: TestResult] = [:]
    private(set) var gaps: [Gap] = []
    private(set) var notes: [Note] = []
    /// Every test case discovered or seen, ordered by identity.
    private(set) var tests: [TestResult] = []
    /// How many texts the readers have cut.
    var cutTexts: Int { passes.reduce(0) { $0 + $1.evidence.cutTexts } }

    init(_ evidence: RunEvidence, in directory: RunDirectory) throws(EvidenceError) {
        manifest = evidence.manifest
        var passes: [Reconciliation] = []
        for pass in manifest.passesInOrder {
            var reconciliation = Reconciliation(try evidence.reading(pass, in: directory))
            reconciliation.run()
            passes.append(reconciliation)
        }
        self.passes = passes
        bringTogether()
        addForgotten(evidence)
        tests = Array(results.values)
        tests.orderByIdentity()
        judgeMissing()
        judgeSuspects()
        if let note = tests.noteOnCancelledArguments { notes.append(note) }
        judgeWhole()
    }

    private mutating func bringTogether() {
        var retried: Set<TestID> = []
        // The number of the last pass that has a test.
        var last: [TestID: Int] = [:]
        for (number, pass) in passes.enumerated() {
            for test in pass.tests { last[test.id] = number }
        }
        for (number, pass) in passes.enumerated() {
            let isLater: (TestID) -> Bool = { id in last[id].map { $0 > number } ?? false }
            let undecided = Set((pass.suspects + pass.bystanders).filter(isLater))
            if pass.evidence.pass.reason == .retry { retried.formUnion(pass.tests.map(\.id)) }
            for var result in pass.tests {
                if undecided.contains(result.id) { result.withdraw() }
                if let before = results[result.id] {
                    result = before.followed(by: result, isRetried: retried.contains(result.id))
                }
                results[result.id] = result
            }
            // What a dying process did not write is told by the passes after it.
            let isRecovered = !pass.notRun.isEmpty && pass.notRun.allSatisfy(isLater)
            for gap in pass.gaps {
                if isRecovered, [.reportMissing, .reportTruncated].contains(gap.code) {
                    notes.append(Note(gap))
                } else {
                    gaps.append(gap)
                }
            }
            notes += pass.notes
        }
        let recovered = passes.enumerated().filter { $0.element.evidence.pass.reason == .recovery }
        if !recovered.isEmpty {
            let count = Set(recovered.flatMap { $0.element.tests.map(\.id) }).count
            notes.append(
                Note(
                    .testsRecovered,
                    detail: "\(count == 1 ? "1 test" : "\(count) tests") left by a process that ended early, run in "
                        + (recovered.count == 1 ? "1 more pass" : "\(recovered.count) more passes")
                ))
        }
    }

    /// What is listed and named by no pass of a run of everything ran nowhere.
    private mutating func addForgotten(_ evidence: RunEvidence) {
        guard manifest.selection == nil, !passes.isEmpty, passes.allSatisfy({ $0.evidence.pass.tests != nil }) else {
            return
        }
        let functions = evidence.swiftTestingList?.functions ?? []
        let ids = TestDiscriminators(functions.map(\.id))
        let listed =
            (evidence.xctestList?.tests ?? []).map { ($0, TestingLibrary.xctest) }
            + functions.map { (ids[$0.id], .swiftTesting) }
        for (id, library) in listed where results[id] == nil {
            results[id] = TestResult(id: id, library: library, outcome: .notRun)
        }
    }

    /// Tests that were discovered and never ran; or a process that ended early with nothing left to run.
    private mutating func judgeMissing() {
        for library in TestingLibrary.allCases {
            let own = tests.filter { $0.library == library }
            let missing = own.filter { $0.outcome == .notRun }
            if let first = missing.first {
                var detail = "\(missing.count) of \(own.count) tests have no result, the first is \(first.id)"
                if let last = passes.last(where: { pass in pass.tests.contains { $0.library == library } })?.running {
                    detail += "; \(last) was running when its process ended"
                }
                gaps.append(Gap(.testsNotRun, detail: detail))
            } else if passes.contains(where: { $0.isSettled[library] == false && $0.evidence.pass.diagnosis == nil }) {
                let detail = "\(library.name) did not come to its end, though no test was running"
                gaps.append(Gap(.exitWithoutResults, detail: detail))
            }
        }
    }

    /// A crash while several tests were running, of which none crashed again by itself.
    private mutating func judgeSuspects() {
        for pass in passes {
            let later = pass.suspects.compactMap { results[$0] }
            guard let first = later.first,
                !later.contains(where: { $0.outcome == .crashed || $0.outcome == .timedOut })
            else { continue }
            gaps.append(
                Gap(
                    .crashUnexplained,
                    detail: "a process crashed while \(later.count) tests were running, the first is \(first.id); "
                        + "run again, none of them did" + (pass.suspectedCrash.map { ": \($0)" } ?? "")
                ))
        }
    }

    /// The run as a whole: did the tests start, did any run, did every process leave a profile.
    private mutating func judgeWhole() {
        judgeProfiles(isExplained: tests.contains { $0.outcome == .crashed || $0.outcome == .timedOut })
        let hasNothingToRun = manifest.gaps.contains { $0.code == .noTests }
        guard passes.contains(where: { !$0.evidence.steps.isEmpty }) else {
            let isTold = manifest.gaps.contains { [.timedOut, .interrupted, .beforeFailed].contains($0.code) }
            if !hasNothingToRun, !isTold {
                let isLate = manifest.steps.contains(where: \.wasTimedOut)
                gaps.append(Gap(isLate ? .timedOut : .testsNotRun, detail: "the tests were not started"))
            }
            return
        }
        if tests.isEmpty {
            let isUnknown = gaps.contains { $0.code == .listUnavailable }
            let ends = manifest.steps.filter { $0.kind == .test }.map(\.termination.words).joined(separator: ", ")
            let isPartial = passes.contains { $0.evidence.selection.isPartial }
            gaps.append(
                Gap(
                    .noTests,
                    detail: isPartial
                        ? "no test matches the filter"
                        : isUnknown ? "no library left a result; the tests \(ends)" : "there are no tests"
                ))
        } else if tests.allSatisfy({ $0.outcome == .skipped }) {
            gaps.append(Gap(.allSkipped, detail: "all \(tests.count) tests were skipped"))
        }
    }

    private mutating func judgeProfiles(isExplained: Bool) {
        let empty = manifest.profiles.count { $0 == 0 }
        guard empty > 0 else { return }
        let detail = "\(empty) of \(manifest.profiles.count) profiles \(empty == 1 ? "is" : "are") empty"
        if isExplained {
            notes.append(Note(.profileEmpty, detail: detail))
        } else {
            gaps.append(Gap(.profileEmpty, detail: detail))
        }
    }
}

extension TestResult {
    /// Takes back that its last attempt crashed: a later pass tells how the test ends.
    fileprivate mutating func withdraw() {
        outcome = .notRun
        guard let last = attempts.indices.last else { return }
        // The last issue tells of the process; what the test had recorded by then stands.
        outcome = outcome.keepingFailure(in: attempts[last].issues.dropLast())
        attempts[last].outcome = outcome
    }

    /// The result of both passes.
    ///
    /// - Parameter isRetried: Whether the test was run again because it had failed, and not to find out who crashed.
    fileprivate func followed(by later: TestResult, isRetried: Bool) -> TestResult {
        var result = self
        result.attempts += later.attempts
        let gives =
            switch outcome {
            case .crashed, .timedOut: false
            case .failed: later.outcome.isFailure || (isRetried && later.repeats(what: self))
            case .passed, .skipped, .knownIssue, .notRun: later.outcome != .notRun
            }
        if gives {
            result.outcome = later.outcome
            result.skipReason = later.skipReason
        }
        result.displayName = later.displayName ?? displayName
        result.suiteDisplayName = later.suiteDisplayName ?? suiteDisplayName
        result.tags = later.tags.isEmpty ? tags : later.tags
        result.location = location ?? later.location
        result.attachments = (attachments + later.attachments).sorted()
        return result
    }
}
