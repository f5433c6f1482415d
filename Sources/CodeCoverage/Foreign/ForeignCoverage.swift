package import RunModel

/// The coverage in reports of other tools, file by file, before files are assigned to targets.
package struct ForeignCoverage {
    /// One source file.
    package struct File {
        /// The path as it was recorded.
        package var path: String
        /// What the path may be instead, where the report names several folders.
        var alternatives: [String] = []
        /// The group in the report, such as a package of Cobertura; `nil` if there is none.
        package var group: String?
        /// The executable lines: in ascending order, each once, when the report has been read.
        package var lines: [LineCount] = []
        package var regions = CoverageTally()
        package var functions = CoverageTally()
    }

    /// A limit is exceeded.
    package struct TooMany: Error {
        /// A lower-case fragment.
        package let reason: String

        init(_ what: String, _ limit: Int) { reason = "more than \(limit) \(what)" }
    }

    package private(set) var files: [File] = []
    private var places: [Name: Int] = [:]
    /// How many lines were added, those of files that were there already included.
    private var lineTotal = 0
    /// What is odd about the report, each a lower-case fragment.
    package var remarks: [String] = []
    /// Which lines the report counts and does not name; `nil` if there are none.
    package var missing: String?
    /// The functions of an llvm-cov export, if there is only one.
    private(set) var functions: [CoverageExport.Function] = []

    /// Of no report yet.
    package init() {}

    /// Whether a report of coverage was read at all.
    package var isEmpty: Bool { files.isEmpty }
    /// Whether any file has an executable line.
    package var hasLines: Bool { files.contains { !$0.lines.isEmpty } }

    /// Adds what another record of the same report says of a file. Regions and functions cannot be merged, so the
    /// record with more of them counts.
    mutating func add(_ file: File) throws(TooMany) {
        try add(file) { known in
            known.regions = Self.better(known.regions, file.regions)
            known.functions = Self.better(known.functions, file.functions)
        }
    }

    /// Adds a class of a file: it has functions of its own.
    mutating func addClass(_ file: File) throws(TooMany) {
        try add(file) { $0.functions = $0.functions + file.functions }
    }

    private mutating func add(_ file: File, again: (inout File) -> Void) throws(TooMany) {
        lineTotal += file.lines.count
        guard lineTotal <= CoverageLimit.lines else { throw TooMany("lines", CoverageLimit.lines) }
        let path = Name(RecordedPath.normalized(file.path))
        if let place = places[path] {
            again(&files[place])
            files[place].lines += file.lines
        } else {
            guard files.count < CoverageLimit.files else { throw TooMany("files", CoverageLimit.files) }
            places[path] = files.count
            files.append(file)
        }
    }

    /// Puts the folders that a report names before its relative paths: the only one, unless a path begins with it already; of
    /// several nobody knows which, so they are alternatives.
    mutating func locate(in folders: [String]) {
        let folders = folders.filter { !$0.isEmpty && $0 != "." }
        guard !folders.isEmpty else { return }
        for place in files.indices where !Self.isAbsolute(files[place].path) {
            let path = files[place].path
            let joined = folders.map { $0.utf8.last == UInt8(ascii: "/") ? $0 + path : "\($0)/\(path)" }
            let begins = RecordedPath.normalized(path).utf8.starts(
                with: (RecordedPath.normalized(folders[0]) + "/").utf8)
            if folders.count == 1, !begins {
                files[place].path = joined[0]
                files[place].alternatives = [path]
            } else {
                files[place].alternatives = joined
            }
        }
        places = [:]
        for place in files.indices { places[Name(RecordedPath.normalized(files[place].path))] = place }
    }

    private static func isAbsolute(_ path: String) -> Bool {
        path.utf8.first == UInt8(ascii: "/") || path.utf8.dropFirst().first == UInt8(ascii: ":")
    }

    /// The same files under other paths; what comes under one path is one file.
    ///
    /// - Throws: Never more than what was there.
    package func renamed(_ name: (File) -> String) throws(TooMany) -> ForeignCoverage {
        var renamed = ForeignCoverage()
        var names: [Name: String] = [:]
        for file in files {
            var file = file
            let path = name(file)
            names[Name(file.path)] = path
            (file.path, file.alternatives) = (path, [])
            try renamed.add(file)
        }
        renamed.settle { $0.adding($1) }
        renamed.functions = functions.map { function in
            CoverageExport.Function(
                name: function.name, path: names[Name(function.path)] ?? function.path, count: function.count,
                regions: function.regions)
        }
        return renamed
    }

    /// Ends a report in which a line may be told several times.
    mutating func settle(_ unite: (ExecutionCount, ExecutionCount) -> ExecutionCount) {
        for place in files.indices { files[place].lines.unite(unite) }
    }

    /// Adds all of another report: the executions that both saw.
    package mutating func add(_ other: ForeignCoverage) throws(TooMany) {
        functions = files.isEmpty ? other.functions : []
        for file in other.files { try add(file) }
        settle { $0.adding($1) }
    }

    private static func better(_ one: CoverageTally, _ other: CoverageTally) -> CoverageTally {
        (other.total, other.covered) > (one.total, one.covered) ? other : one
    }

    /// All files as an export, to assign them to targets.
    package var export: CoverageExport {
        CoverageExport(
            version: "",
            files: files.map {
                CoverageExport.File(
                    path: $0.path, lines: $0.lines, parts: [], regions: $0.regions, functions: $0.functions)
            },
            functions: functions)
    }
}

extension ForeignCoverage {
    /// An llvm-cov export.
    package init(_ export: CoverageExport) throws(TooMany) {
        functions = export.functions
        for file in export.files {
            try add(File(path: file.path, lines: file.lines, regions: file.regions, functions: file.functions))
        }
        settle { $0.adding($1) }
    }
}

extension [LineCount] {
    /// Orders lines by their numbers and makes one of those that have the same.
    mutating func unite(_ unite: (ExecutionCount, ExecutionCount) -> ExecutionCount) {
        guard zip(self, dropFirst()).contains(where: { $0.line >= $1.line }) else { return }
        sort { $0.line < $1.line }
        var count = 1
        for line in self[1...] {
            let last = self[count - 1]
            if last.line == line.line {
                self[count - 1] = LineCount(line: line.line, count: unite(last.count, line.count))
            } else {
                self[count] = line
                count += 1
            }
        }
        removeLast(self.count - count)
    }
}
