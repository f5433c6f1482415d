import Foundation
import RunModel
import TestSupport
import Testing

@testable import Gate

/// Code that comes in without a changed line counts as changed.
@Suite struct IncludedCodeTests {
    private static let rule = PatchRule(line: Percentage(thousandths: 90_000) ?? .zero, minimumLines: 1)
    private static let exposing = FileChange(
        path: "A.swift", basePath: "A.swift", changes: [ChangedLines(base: 1..<2, head: 1..<1)], exposed: [1..<3])

    private func change(
        _ files: [(String, String)], _ changes: [FileChange] = [], compared: [String] = [ChangeComparison.everything],
        base: [(String, String)]? = nil, sources: [String: String] = [:], compiled: [String]? = nil,
        compiler: String? = nil
    ) throws -> ChangeStatus {
        var run = ChangedRun.run(files)
        run.coverage = run.coverage.map { coverage in
            var copy = coverage
            for (index, file) in coverage.files.enumerated() { copy.files[index].sourceHash = sources[file.path] }
            return copy
        }
        let known = base.map { states in
            var known = ChangedRun.known(states)
            known.swiftVersion = compiler ?? run.toolchain?.swiftVersion
            known.files = known.files.map { file in
                var copy = file
                copy.source = sources[file.path]
                return copy
            }
            return known
        }
        let comparison = ChangeComparison(base: ChangedRun.base, changes: changes, compared: compared, coverage: known)
        let target = PackageShape.Target(name: "M", isTest: false, isModule: true, sources: compiled)
        let baseline = Baseline(
            commit: ChangedRun.base, settings: GateSettings(policy: Policy()), head: GateSettings(policy: Policy()),
            basePackage: compiled == nil ? nil : PackageShape(targets: [target]))
        let verdict = try Verdict(
            judging: run, by: ChangedRun.policy(patch: Self.rule), against: baseline, changed: comparison)
        return try #require(verdict.change)
    }

    @Test func `lines whose surroundings changed count, as long as nobody knows that they were code before`() throws {
        let files = [("A.swift", "-+-")]
        #expect(try change(files, [Self.exposing]).lines == CoverageTally(covered: 1, total: 2))
        #expect(try change(files, [Self.exposing], base: [("A.swift", " -+-")]).lines == CoverageTally())
    }

    @Test func `lines that were no code at the base count, where the same compiler says so`() throws {
        let files = [("A.swift", "+-+-")]
        let base = [("A.swift", "+  -")]
        let found = try change(files, base: base)
        #expect(found.lines == CoverageTally(covered: 1, total: 2))
        #expect(found.files.map(\.missed) == [[2...2]])
        #expect(try change(files, base: base, compiler: "another").lines == CoverageTally())
    }

    @Test func `a file that git did not compare is new, unless the base compiled the same bytes`() throws {
        let files = [("A.swift", "+-"), ("B.swift", "+-"), ("Sub/C.swift", "--")]
        #expect(try change(files, compared: ["A.swift", "Sub/"]).lines == CoverageTally(covered: 1, total: 2))
        #expect(try change(files, compared: []).lines == CoverageTally(covered: 2, total: 6))
        let base = [("A.swift", "+-"), ("B.swift", "+-"), ("Sub/C.swift", "--")]
        #expect(
            try change(files, compared: ["A.swift", "Sub/"], base: base, sources: ["B.swift": "0a"]).lines
                == CoverageTally())
    }

    @Test func `what lies behind a link or in a submodule that leads elsewhere is new`() throws {
        let link = FileChange(
            path: "Sub", basePath: "Sub", changes: [ChangedLines(base: 1..<2, head: 1..<2)], leadsElsewhere: true)
        let files = [("Sub/C.swift", "+-"), ("Submarine.swift", "--")]
        #expect(try change(files, [link]).lines == CoverageTally(covered: 1, total: 2))
        let file = FileChange(
            path: "C.swift", basePath: "C.swift", changes: [ChangedLines(base: 1..<2, head: 1..<2)],
            leadsElsewhere: true)
        #expect(try change([("C.swift", "-+-")], [file]).lines == CoverageTally(covered: 1, total: 3))
    }

    @Test func `a file that the base's manifest left out is new`() throws {
        let files = [("A.swift", "+-"), ("B.swift", "--")]
        #expect(try change(files, compiled: ["A.swift"]).lines == CoverageTally(covered: 0, total: 2))
        #expect(try change(files, compiled: ["A.swift", "B.swift"]).lines == CoverageTally())
        let renamed = FileChange(path: "B.swift", basePath: "C.swift", changes: [])
        #expect(try change(files, [renamed], compiled: ["A.swift", "C.swift"]).lines == CoverageTally())
    }

    @Test func `a comparison that does not say what was compared compared nothing`() throws {
        let comparison = ChangeComparison(base: ChangedRun.base, changes: [], compared: ["A.swift"])
        #expect(try JSONRoundTrip.of(comparison) == comparison)
        var object = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(comparison)) as? [String: Any])
        object["compared"] = nil
        let old = try JSONDecoder().decode(
            ChangeComparison.self, from: JSONSerialization.data(withJSONObject: object))
        #expect(old.compared == [])
    }
}
