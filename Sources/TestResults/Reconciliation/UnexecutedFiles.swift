import CodeCoverage
public import Evidence
public import RunModel

/// What a store does not keep of the coverage of a run: the parts of lines that were not executed, and
/// the functions.
public struct UnexecutedFiles: Sendable {
    /// What is kept of a file.
    fileprivate struct Detail: Sendable {
        let unexecuted: UnexecutedCode?
        let called: [SourceFunction]?
    }

    fileprivate let byPath: [Name: Detail]

    /// Reads it out of the run directory; `nil` where there is none.
    ///
    /// - Parameter path: Only this file, relative to the package.
    public init?(in directory: RunDirectory, of path: String? = nil) throws(EvidenceError) {
        try self.init(in: directory, of: path, budget: EvidenceBudget(), unitesShards: true)
    }

    /// The same within a budget; nothing of an export that would take more, and nothing of a merged run.
    ///
    /// What none of the shards executed is known only when all of their evidence is read and compared: too much for a page.
    package init?(in directory: RunDirectory, of path: String?, budget: EvidenceBudget) throws(EvidenceError) {
        try self.init(in: directory, of: path, budget: budget, unitesShards: false)
    }

    private init?(
        in directory: RunDirectory, of path: String?, budget: EvidenceBudget, unitesShards: Bool
    ) throws(EvidenceError) {
        let manifest: RunManifest
        do throws(EvidenceError) {
            manifest = try directory.manifest()
        } catch .notARunDirectory {
            return nil
        }
        guard manifest.engine != .foreign, manifest.merge == nil || unitesShards else {
            byPath = [:]
            return
        }
        let whole =
            if manifest.merge == nil {
                try Self.exported(manifest, in: directory, of: path, budget)
            } else {
                try TestRun.read(from: directory, budget: budget).coverage
            }
        var found: [Name: Detail] = [:]
        for file in whole?.files ?? [] {
            found[Name(file.path)] = Detail(unexecuted: file.unexecuted, called: file.calledFunctions)
        }
        byPath = found
    }

    private static func exported(
        _ manifest: RunManifest, in directory: RunDirectory, of path: String?, _ budget: EvidenceBudget
    ) throws(EvidenceError) -> Coverage? {
        func artifact(_ role: ArtifactRole) -> Artifact? { manifest.artifacts.first { $0.role == role } }
        guard let export = artifact(.coverageExport) else { return nil }
        let names =
            try artifact(.functionNames).map { names throws(EvidenceError) in
                try directory.lent(names) { FunctionNames($0, budget) }
            } ?? FunctionNames()
        return try directory.lent(export) { document throws(EvidenceError) in
            do throws(CoverageExportError) {
                let read = try CoverageExport.read(document, budget: budget, only: path)
                return CoverageFindings.attribute(read, manifest: manifest, names: names).coverage
            } catch {
                return nil
            }
        }
    }
}

extension Coverage {
    /// Adds what a store does not keep. Files are found by the bytes of their paths.
    public mutating func add(_ unexecuted: UnexecutedFiles) {
        for index in files.indices { files[index].add(unexecuted) }
    }
}

extension FileCoverage {
    /// Adds what a store does not keep; nothing where that has no file with the bytes of this path.
    public mutating func add(_ unexecuted: UnexecutedFiles) {
        let detail = unexecuted.byPath[Name(path)]
        self.unexecuted = detail?.unexecuted
        calledFunctions = detail?.called
    }
}
