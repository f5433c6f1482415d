import CodeCoverage

extension CoverageExport {
    /// Reads an export; `nil` if it is invalid, because CodeCoverage reports the reason.
    init?(orNil bytes: [UInt8]) {
        do throws(CoverageExportError) {
            self = try CoverageExport.read(bytes)
        } catch {
            return nil
        }
    }
}
