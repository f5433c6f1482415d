package import Evidence
public import RunModel

/// What `llvm-cov export` says of a run: files with the count of every executable line.
///
/// `totals` adds up tests, generated files and dependencies; it is checked for its structure and skipped.
public struct CoverageExport: Sendable, Hashable {
    /// One source file of an export.
    public struct File: Sendable, Hashable {
        /// The path as it was recorded, mostly absolute.
        public let path: String
        /// The executable lines in ascending order, each once.
        public let lines: [LineCount]
        /// The parts of executed lines that were not executed.
        public let parts: [MissedPart]
        /// Regions covered of all.
        public let regions: CoverageTally
        /// Functions covered of all.
        public let functions: CoverageTally
    }

    /// One function of an export: what its regions and those of the file are counted from.
    public struct Function: Sendable, Hashable {
        /// The name of the symbol, as the compiler mangled it; that of a private one begins with its file and a colon.
        public let name: String
        /// The file it is written in, as it was recorded.
        public let path: String
        /// How often it was called.
        public let count: ExecutionCount
        /// The regions of code in that file, the one of the whole function first; never empty.
        public let regions: [Region]
    }

    /// A region of code: what is executed as one.
    public struct Region: Sendable, Hashable {
        /// Where it begins; counted from 1, columns in bytes.
        public let line: Int32, column: Int32
        /// Where it ends.
        public let endLine: Int32, endColumn: Int32
        /// How often it was executed.
        public let count: ExecutionCount
    }

    /// The format's version, such as `3.0.1`.
    public let version: String
    /// The files in the order of the export; no path occurs twice.
    public let files: [File]
    /// The functions in the order of the export; empty for one that was made without them (`-skip-functions`).
    public let functions: [Function]

    /// Reads an export.
    ///
    /// The whole of it has to be sound, also where nothing is read from it.
    ///
    /// - Parameter keepingFunctions: Whether to read the functions, which are four fifths of an export; without them they
    ///   are checked for their structure and skipped.
    /// - Throws: `CoverageExportError` for anything that is not one complete export.
    public static func read(
        _ bytes: [UInt8], keepingFunctions: Bool = true
    ) throws(CoverageExportError) -> CoverageExport {
        try bytes.lent { document throws(CoverageExportError) in
            try read(document, keepingFunctions: keepingFunctions)
        }
    }

    /// The same of bytes that are lent.
    ///
    /// - Parameter path: Keep only the files with this path relative to any folder.
    package static func read(
        _ document: LentBytes, budget: EvidenceBudget = EvidenceBudget(), keepingFunctions: Bool = true,
        only path: String? = nil
    ) throws(CoverageExportError) -> CoverageExport {
        do throws(JSONFault) {
            var reader = CoverageExportReader(
                document, budget: budget, keepsFunctions: keepingFunctions, only: path)
            return try reader.read()
        } catch {
            throw CoverageExportError(error, in: document)
        }
    }

    /// Reads the files of an export one by one and keeps none, so that an export of any size takes little memory.
    ///
    /// The file is mapped, and what was read is given back as the reader goes on. It must not be cut short meanwhile.
    /// Functions are checked for their structure and skipped.
    package static func scan(_ path: String, each take: @escaping (File) -> Void) throws(EvidenceError) {
        try FileBytes.mapped(path, limit: RunDirectory.fileLimit) { document throws(EvidenceError) in
            do throws(JSONFault) {
                // Nothing is kept but the paths.
                var reader = CoverageExportReader(document, keepsFunctions: false, take: take)
                _ = try reader.read()
            } catch {
                throw EvidenceError(CoverageExportError(error, in: document), file: path)
            }
        }
    }
}

extension EvidenceError {
    /// The fault of an export, with its file.
    package init(_ error: CoverageExportError, file: String) {
        switch error.kind {
        case .truncated: self = .truncated(file: file, line: error.line, reason: "\(error)")
        case .malformed: self = .malformed(file: file, line: error.line, column: error.column, reason: "\(error)")
        case .tooMany: self = .tooLarge(file: file, reason: "line \(error.line): \(error)")
        }
    }
}
