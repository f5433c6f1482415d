import RunModel

/// What the reports of a run say together: results, and everything that stays open.
///
/// The sources of a library are asked best first; the others are held against it. What contradicts or is missing becomes
/// a gap, or a note where a complete source settles it.
struct Reconciliation {
    let evidence: RunEvidence
    var tests: [TestResult] = []
    var gaps: [Gap] = []
    var notes: [Note] = []
    /// Whether the records of each library are there to their end, or what is missing is explained by a test that was
    /// running when its process ended.
    var isSettled: [TestingLibrary: Bool] = [:]

    var manifest: RunManifest { evidence.manifest }

    init(_ evidence: RunEvidence) {
        self.evidence = evidence
        gaps = evidence.damage
    }

    /// Brings all sources together.
    mutating func run() {
        reconcileXCTest()
        reconcileSwiftTesting()
        compareXUnit()
        judgeFaults()
        judgeCompleteness()
        tests.sort { $0.id < $1.id }
    }

    // MARK: A test that was running when its process ended

    /// How a test ended that began and has no end.
    func outcomeOfOpenTest(in library: TestingLibrary) -> Outcome {
        let steps = testSteps(of: library)
        if steps.contains(where: \.wasTimedOut) || manifest.gaps.contains(where: { $0.code == .timedOut }) {
            return .timedOut
        }
        // Ended from outside: the test is not to blame, and did not come to any end of its own.
        return manifest.gaps.contains { $0.code == .interrupted } ? .notRun : .crashed
    }

    /// What is known about why a test did not come to its end.
    func issueOfOpenTest(_ outcome: Outcome, _ crash: Crash?, in library: TestingLibrary) -> Issue {
        switch outcome {
        case .timedOut: return Issue(message: "a time limit ended it while it was running")
        case .notRun: return Issue(message: "the run was ended from outside while it was running")
        default: break
        }
        guard let crash else { return Issue(message: "its process ended while it was running\(manner(library))") }
        let manner = [crash.reason, crash.signal.map { "signal \($0)" }].compactMap { $0 }.joined(separator: ", ")
        let frame = crash.frames.first { evidence.paths.isOwnSource($0.location.path) }
        return Issue(
            message: crash.message ?? "its process crashed: \(manner.isEmpty ? "no cause was reported" : manner)",
            location: evidence.paths.relative(frame?.location) ?? crash.place.map(resolve)
        )
    }

    /// How the process ended, in words; SwiftPM does not tell what its child exited with.
    private func manner(_ library: TestingLibrary) -> String {
        if let signal = evidence.transcript?.signal { return " (signal \(signal))" }
        guard let end = testSteps(of: library).last?.termination else { return "" }
        switch end {
        case .signaled(let signal): return " (signal \(signal))"
        case .exited(0): return ": it may have called exit(0)"
        case .exited(let status): return manifest.engine == .direct ? " with exit status \(status)" : ""
        }
    }

    /// The runtime names `Module/File.swift`; the module table knows where that file lies.
    private func resolve(_ place: SourceLocation) -> SourceLocation {
        let parts = place.path.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let module = manifest.modules.first(where: { $0.compilerName == parts[0] }),
            let path = module.sourcePaths.first(where: { $0.hasSuffix("/\(parts[1])") })
        else { return evidence.paths.relative(place) ?? place }
        return SourceLocation(path: path, line: place.line, column: place.column)
    }

    // MARK: Steps

    /// The test steps in which a library ran.
    func testSteps(of library: TestingLibrary) -> [RunStep] {
        manifest.steps.filter { $0.kind == .test && ($0.library ?? library) == library }
    }

    /// Records issues that belong to no test.
    mutating func addStray(_ issue: Issue, subject: String) {
        guard issue.isFailure else { return }
        let place = evidence.paths.relative(issue.location).map { " at \($0)" } ?? ""
        gaps.append(Gap(.issueWithoutTest, subject: subject, detail: "\(issue.message)\(place)"))
    }

    /// Records tests that never ran.
    mutating func addNotRun(_ missing: [TestID], of total: Int, running: [TestID]) {
        guard let first = missing.min() else { return }
        var detail = "\(missing.count) of \(total) tests have no result, the first is \(first)"
        if let last = running.last { detail += "; \(last) was running when its process ended" }
        gaps.append(Gap(.testsNotRun, detail: detail))
    }
}
