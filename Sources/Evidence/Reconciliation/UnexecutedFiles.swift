public import RunModel

/// What a store does not keep of the coverage of a run: the parts of lines and the functions that were not executed.
public struct UnexecutedFiles: Sendable {
    fileprivate let byPath: [Name: UnexecutedCode]

    /// Reads it out of the run directory; `nil` where there is none.
    public init?(in directory: RunDirectory) throws(EvidenceError) {
        let manifest: RunManifest
        do throws(EvidenceError) {
            manifest = try directory.manifest()
        } catch .notARunDirectory {
            return nil
        }
        guard manifest.engine != .foreign else {
            byPath = [:]
            return
        }
        let whole =
            if manifest.merge == nil {
                try Self.exported(manifest, in: directory)
            } else {
                try TestRun.read(from: directory).coverage
            }
        var found: [Name: UnexecutedCode] = [:]
        for file in whole?.files ?? [] { found[Name(file.path)] = file.unexecuted }
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
        for index in files.indices { files[index].unexecuted = unexecuted.byPath[Name(files[index].path)] }
    }
}
