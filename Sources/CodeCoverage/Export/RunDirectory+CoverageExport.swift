public import Evidence

extension RunDirectory {
    /// The coverage export of the run; `nil` where it left none.
    public func coverageExport() throws(EvidenceError) -> CoverageExport? {
        guard let artifact = try manifest().artifacts.first(where: { $0.role == .coverageExport }) else { return nil }
        return try lent(artifact) { document throws(EvidenceError) in
            do throws(CoverageExportError) {
                return try CoverageExport.read(document)
            } catch {
                throw EvidenceError(error, file: artifact.path)
            }
        }
    }
}
