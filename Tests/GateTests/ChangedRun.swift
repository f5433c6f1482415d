import RunModel
import TestSupport

@testable import Gate

/// A run of one module and what it is compared with, made of the states of lines: `+` covered, `-` missed, ` ` none.
enum ChangedRun {
    static let base = BaseCommit(commit: String(repeating: "0a", count: 20), kind: .mergeBase, name: "origin/main")
    static let commit = "0a0a0a0a0a0a"

    static func lines(_ states: String) -> [LineCount] {
        states.enumerated().compactMap { index, state in
            state == " " ? nil : LineCount(line: Int32(index + 1), count: ExecutionCount(state == "+" ? 2 : 0))
        }
    }

    static func file(_ path: String, _ states: String) -> FileCoverage {
        FileCoverage(
            path: path, module: "Core", lines: lines(states), regions: CoverageTally(covered: 1, total: 1),
            functions: CoverageTally(covered: 1, total: 1))
    }

    static func run(_ files: [(String, String)]) -> TestRun {
        var run = SampleRuns.passing()
        run.modules = run.modules.filter { $0.name.hasPrefix("Core") }
        run.notMeasurable = [:]
        run.coverage = Coverage(files: files.map { file($0.0, $0.1) })
        return run
    }

    static func known(_ files: [(String, String)], unstable: [(String, Int)] = []) -> KnownCoverage {
        KnownCoverage(
            runs: [SampleRuns.id(9)], swiftVersion: SampleRuns.passing().toolchain?.swiftVersion,
            files: files.map { KnownLines(file($0.0, $0.1)) },
            unstable: unstable.map { KnownLines(path: $0.0, covered: [$0.1...$0.1], missed: [$0.1...$0.1]) })
    }

    static func policy(
        patch: PatchRule? = nil, project: ProjectRule? = nil, files: Percentage? = nil
    ) -> Policy {
        Policy(defaultFloors: Floors(line: Percentage("0")), patch: patch, project: project, fileFloor: files)
    }
}
