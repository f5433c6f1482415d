import CodeCoverage
public import Evidence
public import RunModel

extension TestRun {
    /// Reads a run directory and brings everything in it together.
    ///
    /// Whatever is missing, damaged or contradictory becomes a gap or a note of the run.
    ///
    /// - Throws: `EvidenceError` when there is no manifest that can be read, or the system refuses to read.
    public static func read(from directory: RunDirectory) throws(EvidenceError) -> TestRun {
        var run = try read(from: directory, budget: EvidenceBudget())
        run.delivery = try directory.delivery()
        return run
    }

    /// Reads the tests of a run whose directory is not finished, as far as they are needed before it is: nothing is said of coverage.
    ///
    /// - Parameter manifest: The manifest as it will be written.
    public static func readTests(
        _ manifest: RunManifest, in directory: RunDirectory
    ) throws(EvidenceError) -> TestRun {
        var manifest = manifest
        manifest.artifacts.removeAll { [.coverageExport, .functionNames, .testMap].contains($0.role) }
        return try read(manifest, in: directory, budget: EvidenceBudget())
    }

    static func read(from directory: RunDirectory, budget: EvidenceBudget) throws(EvidenceError) -> TestRun {
        try read(try directory.manifest(), in: directory, budget: budget)
    }

    private static func read(
        _ manifest: RunManifest, in directory: RunDirectory, budget: EvidenceBudget
    ) throws(EvidenceError) -> TestRun {
        budget.count(.entry, manifest.sources.count + manifest.artifacts.count)
        if manifest.engine == .foreign { return try readForeign(manifest, in: directory, budget) }
        if let merge = manifest.merge { return try readMerged(manifest, merge, in: directory, budget) }
        let evidence = try RunEvidence(directory, manifest, budget: budget)
        var run = TestRun(
            manifest.head, manifest.facts, sourceDigest: manifest.sourceDigest, diagnostics: evidence.diagnostics,
            gaps: manifest.gaps)
        let unmeasured = run.localPackages.compactMap(Note.init)
        let coverage =
            evidence.export.map { .attribute($0, manifest: manifest, names: evidence.functionNames) }
            ?? CoverageFindings.none(manifest, evidence.exportError)
        run.coverage = coverage.coverage
        run.testMap = evidence.testMap
        run.notMeasurable = coverage.notMeasurable
        guard !run.buildFailed,
            !manifest.gaps.contains(where: { [.beforeFailed, .buildSystemFailed].contains($0.code) }),
            !manifest.endedEarly
        else {
            // Nothing ran, and it is known why: what is missing is no riddle.
            run.gaps = manifest.gaps + evidence.damage
            run.notes = manifest.notes + unmeasured
            return run
        }
        let reconciliation = try RunReconciliation(evidence, in: directory)
        run.tests = reconciliation.tests
        // A process that was cut short leaves no profile: the test that cut it short explains that.
        let isCutShort = run.tests.contains { $0.outcome == .crashed || $0.outcome == .timedOut }
        let explained = manifest.gaps.filter { isCutShort && $0.code == .coverageMissing && $0.subject.isEmpty }
        run.gaps = (manifest.gaps.filter { !explained.contains($0) } + reconciliation.gaps).withoutRepeats
        run.notes = (manifest.notes + reconciliation.notes + coverage.notes + unmeasured).withoutRepeats
        run.notes += explained.map { Note($0) }
        if run.tests.contains(where: \.outcome.isFailure), !manifest.withheldEnvironment.isEmpty {
            let count = manifest.withheldEnvironment.count
            run.notes.append(
                Note(
                    .environmentWithheld,
                    detail: "the tests did not see \(count) variable\(count == 1 ? "" : "s"); kanmon doctor names them")
            )
        }
        if run.selection.mappedBy != nil {
            // It was only to be estimated; what is not certain is no base for that.
            run.notes += coverage.gaps.map { Note($0) }
            if !coverage.gaps.isEmpty { run.coverage = nil }
        } else if run.tests.contains(where: \.outcome.wasExecuted) {
            run.gaps = (run.gaps + coverage.gaps).withoutRepeats
        } else {
            // Where nothing ran there is nothing to measure; that nothing ran is a gap already.
            run.notes += coverage.gaps.map { Note($0) }
        }
        run.cutFailureTexts(before: reconciliation.cutTexts)
        return run
    }
}

extension Note {
    /// That the code of a local package is not measured; `nil` where it has none.
    fileprivate init?(_ package: LocalPackage) {
        guard package.modules != [] else { return nil }
        let modules =
            package.modules.map { $0.joined(separator: ", ") } ?? "all of it; SwiftPM does not list its modules"
        self.init(.localPackageNotMeasured, subject: package.path, detail: "not measured: \(modules)")
    }
}

extension RunManifest {
    /// Whether the run was ended from outside before its tests were started.
    fileprivate var endedEarly: Bool {
        self.gaps.contains { $0.code == .interrupted } && !self.steps.contains { $0.kind == .test }
    }
}

extension [Gap] {
    /// Each once, in order; texts are compared byte by byte.
    var withoutRepeats: [Gap] { withoutRepeats { "\($0.code.rawValue)\0\($0.subject)\0\($0.detail)" } }
}

extension [Note] {
    /// Each once, in order; texts are compared byte by byte.
    var withoutRepeats: [Note] { withoutRepeats { "\($0.code.rawValue)\0\($0.subject)\0\($0.detail)" } }
}

extension Array {
    /// The first of those with the same text, in order.
    fileprivate func withoutRepeats(_ text: (Element) -> String) -> [Element] {
        var seen: Set<Name> = []
        return filter { seen.insert(Name(text($0))).inserted }
    }
}
