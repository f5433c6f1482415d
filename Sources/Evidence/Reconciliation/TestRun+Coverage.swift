public import RunModel

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
            let read = try export.withUnsafeBufferPointer { bytes throws(CoverageExportError) in
                try CoverageExport.read(UnsafeRawBufferPointer(bytes))
            }
            return attribute(read, manifest: manifest, names: names)
        } catch {
            return CoverageFindings(
                notMeasurable: CoverageAttribution.unsuitable(manifest.modules),
                gaps: [Gap(.coverageMalformed, subject: "coverage.json:\(error.position.line)", detail: "\(error)")]
            )
        }
    }
}

/// What a store does not keep of the coverage of a run: the parts of lines and the functions that were not executed.
public struct UnexecutedFiles: Sendable {
    fileprivate let byPath: [ExactText: UnexecutedCode]

    /// Reads it out of the run directory; `nil` where that has none.
    public init?(in directory: RunDirectory) throws(EvidenceError) {
        let manifest: RunManifest
        do throws(EvidenceError) {
            manifest = try directory.manifest()
        } catch .notARunDirectory {
            return nil
        }
        guard manifest.engine != .foreign else { return nil }
        let whole =
            if manifest.merge == nil {
                try Self.exported(manifest, in: directory)
            } else {
                try TestRun.read(from: directory).coverage
            }
        var found: [ExactText: UnexecutedCode] = [:]
        for file in whole?.files ?? [] { found[ExactText(file.path)] = file.unexecuted }
        byPath = found
    }

    private static func exported(
        _ manifest: RunManifest, in directory: RunDirectory
    ) throws(EvidenceError) -> Coverage? {
        func bytes(_ role: ArtifactRole) throws(EvidenceError) -> [UInt8]? {
            guard let artifact = manifest.artifacts.first(where: { $0.role == role }) else { return nil }
            return try directory.bytes(of: artifact)
        }
        let names = try bytes(.functionNames).map { FunctionNames($0) } ?? FunctionNames()
        return CoverageFindings.read(try bytes(.coverageExport), manifest: manifest, names: names).coverage
    }
}

extension Coverage {
    /// Adds what a store does not keep. Files are found by the bytes of their paths.
    public mutating func add(_ unexecuted: UnexecutedFiles) {
        for index in files.indices { files[index].unexecuted = unexecuted.byPath[ExactText(files[index].path)] }
    }
}
