package import Evidence
package import RunModel

/// What the coverage export adds to a run.
package struct CoverageFindings {
    package var coverage: Coverage?
    package var notMeasurable: [String: String] = [:]
    package var gaps: [Gap] = []
    package var notes: [Note] = []

    /// Gives the files of an export to the modules that own them.
    package static func attribute(
        _ export: CoverageExport, manifest: RunManifest, names: FunctionNames = FunctionNames()
    ) -> CoverageFindings {
        let attribution = CoverageAttribution(export: export, manifest: manifest, names: names)
        return CoverageFindings(
            coverage: attribution.coverage, notMeasurable: attribution.notMeasurable, gaps: attribution.gaps)
    }

    /// What is known of a run without coverage, or one whose export cannot be read.
    package static func none(_ manifest: RunManifest, _ error: CoverageExportError? = nil) -> CoverageFindings {
        CoverageFindings(
            notMeasurable: CoverageAttribution.unsuitable(manifest.modules),
            gaps: error.map {
                [Gap(.coverageMalformed, subject: "coverage.json:\($0.line)", detail: "\($0)")]
            } ?? [])
    }
}
