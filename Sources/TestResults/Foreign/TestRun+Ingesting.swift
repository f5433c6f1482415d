import CodeCoverage
public import Evidence
public import RunModel

public import struct Foundation.Date

extension TestRun {
    /// Makes a run from reports of another runner: xUnit XML, Swift Testing event streams, coverage of several kinds.
    ///
    /// Nothing is read in part: a report that is malformed or cut short is an error, never fewer tests. Only what SwiftPM
    /// is known to write wrongly into its own is repaired, with a note. The duration is the sum of the cases', as nobody
    /// says how they overlapped, and 400 days at most.
    ///
    /// - Parameters:
    ///   - packageRoot: The prefix that is cut from recorded paths.
    ///   - maps: What folders in the reports are called here.
    ///   - modules: The targets that coverage is attributed to. Without them files belong to what their report names, a
    ///     package of Cobertura, or to the package as a whole; those that a build made or checked out, to none.
    /// - Throws: `EvidenceError` with file, line, column and reason.
    public static func ingesting(
        _ reports: [ForeignReport],
        id: RunID,
        project: String,
        package: String,
        at moment: Date,
        packageRoot: String = "",
        maps: [PathMap] = [],
        modules: [Module] = []
    ) throws(EvidenceError) -> TestRun {
        try ingesting(
            reports, id: id, project: project, package: package, at: moment, packageRoot: packageRoot, maps: maps,
            modules: modules, budget: EvidenceBudget())
    }

    static func ingesting(
        _ reports: [ForeignReport],
        id: RunID,
        project: String,
        package: String,
        at moment: Date,
        packageRoot: String,
        maps: [PathMap],
        modules: [Module],
        budget: EvidenceBudget
    ) throws(EvidenceError) -> TestRun {
        var results = ForeignResults(paths: PackagePaths(root: packageRoot), maps: maps, budget: budget)
        var coverage = ForeignCoverage()
        var remarks: [Note] = []
        var missing: [Gap] = []
        var empty: [Note] = []
        for report in reports {
            let found: ForeignCoverage
            switch try report.format() {
            case .xunit, .eventStream:
                let before = results.executionCount
                try results.add(report)
                if results.executionCount == before {
                    empty.append(Note(.reportEmpty, subject: report.path, detail: "there is no test in it"))
                }
                continue
            case .coverageExport: found = try completeExport(report, budget)
            case .cobertura: found = try CoberturaBuilder.read(report, budget)
            case .lcov: found = try LCOVReader.read(report, budget)
            }
            remarks += found.remarks.map { Note(.reportMalformed, subject: report.path, detail: $0) }
            missing += found.missing.map { [Gap(.coverageMissing, subject: report.path, detail: $0)] } ?? []
            if !found.hasLines {
                empty.append(Note(.reportEmpty, subject: report.path, detail: "there is no executable line in it"))
            }
            try add(found, of: report, to: &coverage)
        }
        // Where there is nothing in any of them, gaps say so.
        if empty.count < reports.count { remarks += empty }
        let tests = results.takeTests()
        var run = TestRun(
            RunHead(
                id: id, project: project, package: package, startedAt: moment, duration: results.duration(of: tests),
                engine: .foreign),
            RunFacts(modules: modules), tests: tests, gaps: results.gaps(tests) + missing,
            notes: results.notes + remarks)
        if let note = run.tests.noteOnCancelledArguments { run.notes.append(note) }
        let outcomes = run.outcomes
        if outcomes.total == 0 {
            run.gaps.append(Gap(.noTests, detail: "there are no tests in \(reports.count) reports"))
        } else if outcomes[.skipped] == outcomes.total {
            run.gaps.append(Gap(.allSkipped, detail: "all \(outcomes.total) tests were skipped"))
        }
        if !coverage.isEmpty { try run.take(coverage, packageRoot: packageRoot, maps: maps) }
        run.cutFailureTexts(before: results.cutTexts)
        return run
    }

    /// Gives files to targets of the package, or, where there is none, to what their reports count them to.
    private mutating func take(
        _ found: ForeignCoverage, packageRoot: String, maps: [PathMap]
    ) throws(EvidenceError) {
        do throws(ForeignCoverage.TooMany) {
            if self.modules.isEmpty {
                let paths = PackagePaths(root: packageRoot)
                takeWithoutTargets(
                    try found.renamed { paths.relative(maps.isEmpty ? $0.path : maps.path(of: $0.path)) })
            } else {
                let placing = ForeignPlacing(
                    found.files, modules: self.modules, packageRoot: packageRoot, maps: maps)
                let placed = try found.renamed { placing.path(of: $0) }
                let findings = CoverageFindings.attribute(
                    placed.export, manifest: .foreign(self, packageRoot: packageRoot))
                coverage = findings.coverage
                notMeasurable = findings.notMeasurable
                gaps += findings.gaps
                notes += findings.notes
                namePlaceless()
                nameUnreported()
            }
        } catch {
            throw .tooLarge(file: "all reports", reason: error.reason)
        }
    }

    private mutating func takeWithoutTargets(_ found: ForeignCoverage) {
        func isOwn(_ file: ForeignCoverage.File) -> Bool {
            file.group != nil || !(RecordedPath.isDerived(file.path) || RecordedPath.isCheckedOut(file.path))
        }
        coverage = Coverage(
            files: found.files.filter(isOwn).map { file in
                let group = file.group ?? ""
                return FileCoverage(
                    path: file.path, module: group.isEmpty ? self.package : group, lines: file.lines,
                    regions: file.regions, functions: file.functions)
            }.sorted { Name($0.path) < Name($1.path) },
            unattributed: found.files.filter { !isOwn($0) }.map { file in
                UnattributedFile(
                    path: file.path, kind: RecordedPath.isDerived(file.path) ? .generated : .dependency,
                    lines: CoverageTally(covered: file.lines.count { $0.count.isCovered }, total: file.lines.count))
            })
    }

    private static func completeExport(
        _ report: ForeignReport, _ budget: EvidenceBudget
    ) throws(EvidenceError) -> ForeignCoverage {
        let export = try report.lent { document throws(EvidenceError) in
            do throws(CoverageExportError) {
                return try CoverageExport.read(document, budget: budget)
            } catch {
                throw EvidenceError(error, file: report.path)
            }
        }
        do throws(ForeignCoverage.TooMany) {
            return try ForeignCoverage(export)
        } catch {
            throw .tooLarge(file: report.path, reason: error.reason)
        }
    }

    private static func add(
        _ found: ForeignCoverage, of report: ForeignReport, to coverage: inout ForeignCoverage
    ) throws(EvidenceError) {
        guard !coverage.isEmpty else {
            coverage = found
            return
        }
        do throws(ForeignCoverage.TooMany) {
            try coverage.add(found)
        } catch {
            throw .tooLarge(file: report.path, reason: "with the reports before it \(error.reason)")
        }
    }
}

extension RunManifest {
    /// A manifest for what no runner of ours wrote, as far as attribution of coverage needs one.
    static func foreign(_ run: TestRun, packageRoot: String) -> RunManifest {
        RunManifest(
            run.head, run.facts, RunManifest.Contents(kanmonVersion: "", packageRoot: packageRoot, arguments: []))
    }
}
