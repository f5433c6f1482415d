import Evidence

extension CoverageExport {
    /// Reads an export; what is wrong with one is for Evidence to say.
    init?(orNil bytes: [UInt8]) {
        do throws(CoverageExportError) {
            self = try bytes.withUnsafeBufferPointer { bytes throws(CoverageExportError) in
                try CoverageExport.read(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            return nil
        }
    }
}
