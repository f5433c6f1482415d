import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// What is read into columns is the same as what is read into results, of every report.
@Suite struct PassedApartTests {
    /// What came of reports: results, gaps, notes and the duration of all.
    private struct Reading: Equatable {
        var results: TestResults
        var gaps: [Gap]
        var notes: [Note]
        var duration: Duration

        init(_ found: ForeignResults) {
            results = found.together ?? TestResults(found.tests.orderedByIdentity())
            (gaps, notes, duration) = (found.gaps, found.notes, found.duration)
        }
    }

    private static func read(_ reports: [ForeignReport], apart: Bool) -> ForeignResults? {
        var results = ForeignResults(paths: PackagePaths(root: "/home/ci/Sample"), keepsPassedApart: apart)
        do throws(EvidenceError) {
            for report in reports { try results.add(report) }
            return results
        } catch {
            return nil
        }
    }

    /// Whether both read the same, or neither reads it.
    private static func areAlike(_ reports: [ForeignReport]) -> Bool {
        guard let plain = read(reports, apart: false), let apart = read(reports, apart: true) else {
            return read(reports, apart: false) == nil && read(reports, apart: true) == nil
        }
        guard apart.together != nil else {
            // Given up only for a test that comes twice.
            return plain.tests.count < caseCount(reports)
        }
        return Reading(plain) == Reading(apart)
    }

    private static func caseCount(_ reports: [ForeignReport]) -> Int {
        reports.reduce(0) { count, report in
            let read = try? XUnitReport.read(report.bytes(), file: report.path, origin: .foreign)
            return count + (read.map { $0.cases.count + $0.strayProblems.count } ?? 0)
        }
    }

    private static func report(_ text: String) -> ForeignReport { ForeignReport(path: "f", bytes: Array(text.utf8)) }

    @Test func `every recorded report`() throws {
        let root = Bundle.module.bundleURL.appending(path: "Fixtures")
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        var kept = 0
        for path in paths.filter({ $0.hasSuffix(".xml") }).sorted() {
            let report = ForeignReport(path: path, bytes: try Fixture.bytes(path))
            #expect(Self.areAlike([report]), "\(path)")
            kept += Self.read([report], apart: true)?.passed.count ?? 0
        }
        #expect(kept > 100)
    }

    @Test(arguments: [
        "<testcase classname='M.S' name='a' time='1'/><testcase classname='M.S' name='b' time='2'></testcase>",
        "<testcase classname='M.S' name='a' time='1'/><testcase classname='M.S' name='a' time='2'/>",
        "<testcase classname='M.S' name='a' time='1'/><testcase classname='M.S' name='a' time='2'><failure/></testcase>",
        "<testcase classname='M.S' name='a' time='1'/><testcase classname='M.S' name='a' time='2'><skipped/></testcase>",
        "<testcase classname='M.S' name='a' time='1,234.5'/><testcase classname='M.S' name='b' time='1e-3'/>",
        "<testcase classname='M.S' name='a' time='x'/><testcase classname='M.S' name='b'/><testcase name='c' time='1'/>",
        "<testcase classname='M.S' name='a' duration='1'/><testcase class='M.S' name='b' time='2'/>",
        "<testcase classname='M.S' name='' time='1'/><testcase classname='' name='b' time='2'/>",
        "<testcase classname='M.S' name='a' time='1' file='/home/ci/Sample/a.swift' line='3'/>",
        "<testcase classname='M.S' name='a' time='1' status='notrun'/>",
        "<testcase classname='M.S' name='a' time='1' status='run'/>",
        "<testcase classname='M.S' name='a' time='1'><system-out>x</system-out></testcase>",
        "<testcase classname='M.S' name='a' time='1'><properties><property name='p'/></properties></testcase>",
        "<testcase classname='M.S' name='a' time='1'><x><failure/></x></testcase><failure message='stray'/>",
        "<testcase classname='M.S' name='a' time='1'><rerunFailure message='r'/></testcase>",
        "<testcase classname='M.S' name='a' time='1'/><testcase classname='M.T' name='b' time='1'/>"
            + "<testcase name='x' time='1'/><testcase classname='M.T' name='c' time='1'/>"
            + "<testcase classname='M.S' name='&lt;日本&#10;' time='1'/>",
    ])
    func `cases of every kind`(cases: String) {
        let report = Self.report("<testsuite name='s' tests='2' failures='1'>\(cases)</testsuite>")
        #expect(Self.read([report], apart: false) != nil)
        #expect(Self.areAlike([report]))
        #expect(Self.areAlike([Self.report("<testsuite name='s'/>"), report]))
        #expect(Self.areAlike([report, report]))
        // One that the general parser reads.
        let unusual = Self.report("<!DOCTYPE testsuite><testsuite name='t'>\(cases)</testsuite>")
        #expect(Self.areAlike([unusual]))
    }

    @Test func `a run is the same, whether a test comes twice or not`() throws {
        let once = "<testcase classname='M.S' name='a' time='1'/><testcase classname='M.S' name='b' time='2'/>"
        let again = once + "<testcase classname='M.S' name='a' time='3'/>"
        func ingest(_ cases: String) throws -> TestRun {
            try TestRun.ingesting(
                [Self.report("<testsuite>\(cases)</testsuite>")], id: SampleRuns.id(1), project: "p", package: "P",
                at: SampleRuns.moment)
        }
        #expect(try ingest(once).results.passed.count == 2)
        let run = try ingest(again)
        #expect(run.tests.map(\.attempts.count) == [2, 1])
        #expect(run.duration == .seconds(3))
    }

    @Test func `however reports are damaged, both read the same or neither reads them`() throws {
        let rounds = Fuzzing.rounds(FuzzNumbers.xmlPieces) { random in
            let reports = (0...random.below(2)).map { _ in
                let bytes = random.report()
                return ForeignReport(path: "f", bytes: random.below(2) == 0 ? bytes : random.damaged(bytes))
            }
            guard Self.read(reports, apart: false) != nil else {
                return Self.areAlike(reports) ? .refused : .different((try? reports[0].bytes()) ?? [])
            }
            return Self.areAlike(reports) ? .same : .different((try? reports[0].bytes()) ?? [])
        }
        #expect(rounds.accepted > rounds.all / 10, "\(rounds)")
    }
}
