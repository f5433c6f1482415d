import Gate
import RunModel

extension JSONReport {
    /// Percentages as decimal text, which is exact.
    struct FloorRow: Hashable, Encodable {
        let line: String?
        let region: String?
        let function: String?

        init(_ floors: Floors) {
            line = floors.line?.description
            region = floors.region?.description
            function = floors.function?.description
        }
    }

    struct ModuleRow: Hashable, Encodable {
        let name: String
        let kind: String?
        let lines: CoverageTally
        let regions: CoverageTally
        let functions: CoverageTally
        let floors: FloorRow
        let notMeasurable: String?
        let excludedFiles: Int
        let owners: [String]?

        init(_ status: ModuleCoverage, kind: Module.Kind?, owners: [String]) {
            name = status.module
            self.kind = kind?.rawValue
            lines = status.lines
            regions = status.regions
            functions = status.functions
            floors = FloorRow(status.floors)
            notMeasurable = status.notMeasurable
            excludedFiles = status.excludedFiles
            self.owners = owners.isEmpty ? nil : owners
        }
    }

    /// A file that counts.
    struct FileRow: Hashable, Encodable {
        struct Function: Hashable, Encodable {
            let name: String
            let line: Int
            let endLine: Int
        }

        let path: String
        let module: String
        let lines: CoverageTally
        let regions: CoverageTally
        let functions: CoverageTally
        /// Line, first byte, byte behind; without the last, to the end of the line.
        let missedParts: [[Int]]?
        let uncalledFunctions: [Function]?

        init(_ file: FileCoverage) {
            path = file.path
            module = file.module
            lines = file.lineTally
            regions = file.regions
            functions = file.functions
            missedParts = file.unexecuted?.parts.map { part in
                [Int(part.line), Int(part.start)] + (part.end.map { [Int($0)] } ?? [])
            }
            uncalledFunctions = file.unexecuted?.functions?.map {
                Function(name: $0.name, line: Int($0.line), endLine: Int($0.endLine))
            }
        }
    }

    /// What all tests would have covered, and what that is estimated from.
    struct EstimateRow: Hashable, Encodable {
        struct Module: Hashable, Encodable {
            let name: String
            let lines: CoverageTally
        }

        let base: String
        let executed: Int
        let deselected: Int
        let lines: CoverageTally
        let modules: [Module]

        init(_ estimate: CoverageEstimate) {
            base = estimate.base.description
            executed = estimate.executed
            deselected = estimate.deselected
            lines = estimate.lines
            modules = estimate.modules.map { Module(name: $0.name, lines: $0.lines) }
        }
    }

    /// The lines of a file that are unstable.
    struct UnstableRow: Hashable, Encodable {
        let path: String
        let lines: [[Int]]

        init(_ file: UnstableFile) {
            path = file.path
            lines = file.lines.map { [$0.lowerBound, $0.upperBound] }
        }
    }

    /// A file with coverage that does not count, and why.
    struct UnattributedRow: Hashable, Encodable {
        let path: String
        let kind: String
        let lines: CoverageTally

        init(_ file: UnattributedFile) {
            path = file.path
            kind = file.kind.rawValue
            lines = file.lines
        }
    }

    struct MissedFileRow: Hashable, Encodable {
        let path: String
        let missed: Int
        /// First and last line of every range.
        let ranges: [[Int]]

        init(_ file: MissedFile) {
            path = file.path
            missed = file.missed
            ranges = file.ranges.map { [$0.lowerBound, $0.upperBound] }
        }
    }

    /// A broken rule; its subject decides which of the other fields are there.
    struct ViolationRow: Hashable, Encodable {
        let rule: String
        let title: String
        let sentence: String
        let hint: String?
        let observed: String?
        let required: String?
        var test: String?
        var module: String?
        var path: String?
        var subject: String?
        let code: String?
        let first: Message?
        let metric: String?
        let tally: CoverageTally?
        let floor: String?
        let shortfall: Int?
        let source: String?
        let baseTally: CoverageTally?
        let files: [MissedFileRow]?

        init(_ violation: Violation) {
            rule = violation.rule
            title = violation.title
            sentence = violation.sentence
            hint = violation.hint
            observed = violation.observed
            required = violation.required
            code = violation.change?.rawValue
            first = violation.message.map { Message($0.text, $0.location) }
            metric = violation.coverage?.metric.rawValue
            tally = violation.coverage?.tally
            floor = violation.coverage?.floor.description
            shortfall = violation.coverage?.shortfall
            source = violation.coverage?.source?.rawValue
            baseTally = violation.coverage?.before
            files = violation.coverage?.files.map(MissedFileRow.init)
            switch violation.subject {
            case .build, .tests, .change, .project: break
            case .test(let id): test = id.description
            case .quarantine(let name): test = name
            case .module(let name): module = name
            case .file(let name): path = name
            case .settings(let name): subject = name
            }
        }
    }
}
