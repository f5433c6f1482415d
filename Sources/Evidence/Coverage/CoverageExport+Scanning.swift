import RunModel

extension CoverageExport {
    /// Reads the files of an export one by one and keeps none, so that an export of any size takes little memory.
    ///
    /// The file is mapped, and what was read is given back as the reader goes on. It must not be cut short meanwhile.
    /// Functions are checked for their structure and skipped.
    ///
    /// - Returns: The format's version.
    @discardableResult
    package static func scan(_ path: String, each take: @escaping (File) -> Void) throws(EvidenceError) -> String {
        try FileBytes.mapped(path, limit: RunDirectory.fileLimit) { document throws(EvidenceError) in
            let bytes = UnsafeRawBufferPointer(document.bytes)
            do throws(ExportScanner.Fault) {
                var reader = CoverageExportReader(bytes, keepsFunctions: false)
                reader.watch = CoverageExportReader.Watch(file: take, passed: document.release)
                return try reader.read().version
            } catch {
                let error = error.located(in: bytes)
                throw .malformed(file: path, line: error.position.line, column: 1, reason: "\(error)")
            }
        }
    }
}
