public import RunModel

/// What `llvm-cov export` says of a run: files with the count of every executable line.
///
/// Only `data[0].files` counts. `totals` adds up tests, generated files and dependencies, and `functions` repeats what
/// the segments say; both are checked for their structure and skipped.
public struct CoverageExport: Sendable, Hashable {
    /// One source file of an export.
    public struct File: Sendable, Hashable {
        /// The path as it was recorded, mostly absolute.
        public let path: String
        /// The executable lines in ascending order, each once.
        public let lines: [LineCount]
        /// Regions covered of all.
        public let regions: CoverageTally
        /// Functions covered of all.
        public let functions: CoverageTally
    }

    /// The format's version, such as `3.0.1`.
    public let version: String
    /// The files in the order of the export; no path occurs twice.
    public let files: [File]

    /// Reads an export in one pass over its bytes.
    ///
    /// The bytes are only borrowed, so that a mapped file needs no memory of its own. The whole of them has to be sound,
    /// also where nothing is read from it.
    ///
    /// - Throws: `CoverageExportError` for anything that is not one complete export.
    public static func read(_ bytes: UnsafeRawBufferPointer) throws(CoverageExportError) -> CoverageExport {
        do throws(ExportScanner.Fault) {
            var reader = CoverageExportReader(bytes)
            return try reader.read()
        } catch {
            throw error.located(in: bytes)
        }
    }
}
