extension RunDirectory {
    /// The coverage export of the run; `nil` where it left none.
    public func coverageExport() throws(EvidenceError) -> CoverageExport? {
        guard let artifact = try manifest().artifacts.first(where: { $0.role == .coverageExport }) else { return nil }
        let bytes = try bytes(of: artifact)
        do throws(CoverageExportError) {
            return try bytes.withUnsafeBufferPointer { bytes throws(CoverageExportError) in
                try CoverageExport.read(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw .malformed(
                file: artifact.path, line: error.position.line, column: 1, reason: "\(error)")
        }
    }
}
