import RunModel

/// What the coverage export adds to a run.
struct CoverageFindings {
    var coverage: Coverage?
    var notMeasurable: [String: String] = [:]
    var gaps: [Gap] = []
    var notes: [Note] = []

    /// Gives the files of an export to the modules that own them.
    static func attribute(
        _ export: CoverageExport, manifest: RunManifest, names: FunctionNames = FunctionNames()
    ) -> CoverageFindings {
        let attribution = CoverageAttribution(export: export, manifest: manifest, names: names)
        return CoverageFindings(
            coverage: attribution.coverage, notMeasurable: attribution.notMeasurable, gaps: attribution.gaps)
    }

    /// Reads the coverage export of a run, where there is one.
    static func read(
        _ export: [UInt8]?, manifest: RunManifest, names: FunctionNames = FunctionNames()
    ) -> CoverageFindings {
        guard let export else {
            return CoverageFindings(notMeasurable: CoverageAttribution.unsuitable(manifest.modules))
        }
        do throws(CoverageExportError) {
            return attribute(try CoverageExport.read(export), manifest: manifest, names: names)
        } catch {
            return CoverageFindings(
                notMeasurable: CoverageAttribution.unsuitable(manifest.modules),
                gaps: [Gap(.coverageMalformed, subject: "coverage.json:\(error.line)", detail: "\(error)")]
            )
        }
    }
}
