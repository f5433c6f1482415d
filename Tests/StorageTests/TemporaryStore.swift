import Foundation
import RunModel
import TestSupport

@testable import Gate
@testable import Storage

/// A folder of its own with a path for a store, removed with the value's owner.
final class TemporaryStore {
    let folder: TemporaryFolder
    var path: String { file("kanmon.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    func open() throws -> RunStore { try RunStore(path: path) }

    func file(_ name: String) -> String { "\(folder.path)/\(name)" }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }
}

extension Verdict {
    /// A verdict as the gate might give it; the store keeps whatever it says.
    static func sample(for run: TestRun, decision: Decision = .failed) -> Verdict {
        Verdict(
            decision: decision,
            violations: decision == .failed
                ? run.tests.filter(\.outcome.isFailure).map {
                    .testFailed(id: $0.id, outcome: $0.outcome, issue: $0.firstFailure)
                } : [],
            gaps: run.gaps,
            modules: run.modules.filter { $0.kind != .test }.map { module in
                ModuleCoverage(
                    module: module.name, lines: run.coverage(of: module.name, .line) ?? CoverageTally(),
                    regions: run.coverage(of: module.name, .region) ?? CoverageTally(),
                    functions: run.coverage(of: module.name, .function) ?? CoverageTally(),
                    floors: Floors(line: Percentage("80")), notMeasurable: run.notMeasurable[module.name]
                )
            },
            policy: Policy()
        )
    }
}

extension TestRun {
    /// The run as the store keeps it: durations have three digits, and what tests printed stays in the run directory.
    var asStored: TestRun {
        var run = self
        for test in run.tests.indices {
            for attempt in run.tests[test].attempts.indices { run.tests[test].attempts[attempt].output = nil }
            guard run.tests[test].hasOneAttemptLikeItself else { continue }
            let duration = run.tests[test].attempts[0].duration?.nanoseconds
            run.tests[test].attempts[0].duration = duration.map { .nanoseconds(DurationList.rounded($0)) }
        }
        return run
    }

    /// The run as all but a project's newest are kept: an executed line has the count 1.
    var withoutCounts: TestRun {
        var run = asStored
        guard var files = run.coverage?.files else { return run }
        for file in files.indices {
            files[file].lines = files[file].lines.map {
                LineCount(line: $0.line, count: ExecutionCount($0.count.isCovered ? 1 : 0))
            }
        }
        run.coverage?.files = files
        run.coverage?.hasExecutionCounts = false
        return run
    }
}

extension RunStore {
    @discardableResult
    func ingest(_ run: TestRun, decision: Decision = .passed) throws -> IngestOutcome {
        try ingest(run, verdict: .sample(for: run, decision: decision), runDirectory: "/runs/\(run.id)")
    }

    /// All tests that a search would look at.
    func tests(project: String) throws -> [NamedTest] {
        var tests: [NamedTest] = []
        try forEachTest(project: project) { test in
            tests.append(test)
            return true
        }
        return tests
    }
}
