import Gate
import RunModel

extension JSONReport {
    struct Tally: Hashable, Encodable {
        let covered: Int
        let total: Int

        init(_ tally: CoverageTally) {
            covered = tally.covered
            total = tally.total
        }
    }

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
        let lines: Tally
        let regions: Tally
        let functions: Tally
        let floors: FloorRow
        let notMeasurable: String?
        let excludedFiles: Int

        init(_ standing: ModuleStanding, kind: Module.Kind?) {
            name = standing.module
            self.kind = kind?.rawValue
            lines = Tally(standing.lines)
            regions = Tally(standing.regions)
            functions = Tally(standing.functions)
            floors = FloorRow(standing.floors)
            notMeasurable = standing.notMeasurable
            excludedFiles = standing.excludedFiles
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
        let lines: Tally
        let regions: Tally
        let functions: Tally
        /// Line, first byte, byte behind; without the last, to the end of the line.
        let missedParts: [[Int]]?
        let uncalledFunctions: [Function]?

        init(_ file: FileCoverage) {
            path = file.path
            module = file.module
            lines = Tally(file.lineTally)
            regions = Tally(file.regions)
            functions = Tally(file.functions)
            missedParts = file.unexecuted?.parts.map { part in
                [Int(part.line), Int(part.start)] + (part.end.map { [Int($0)] } ?? [])
            }
            uncalledFunctions = file.unexecuted?.functions?.map {
                Function(name: $0.name, line: Int($0.line), endLine: Int($0.endLine))
            }
        }
    }

    /// What one exclude takes out.
    struct ExclusionRow: Hashable, Encodable {
        let pattern: String
        let reason: String?
        let files: Int
        let lines: Tally
        let since: String?
        let warning: String?

        init(_ standing: ExclusionStanding) {
            pattern = standing.exclusion.pattern
            reason = standing.exclusion.reason
            files = standing.files
            lines = Tally(standing.lines)
            since = standing.since?.description
            warning = standing.warning?.rawValue
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
        let lines: Tally

        init(_ file: UnattributedFile) {
            path = file.path
            kind = file.kind.rawValue
            lines = Tally(file.lines)
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

    /// A broken rule; `rule` says which, and which of the other fields are there.
    struct ViolationRow: Hashable, Encodable {
        var rule: String
        var errors: Int?
        var test: String?
        var outcome: String?
        var first: Message?
        var module: String?
        var metric: String?
        var tally: Tally?
        var floor: String?
        var shortfall: Int?
        var files: [MissedFileRow]?
        var executed: Int?
        var minimum: Int?
        var attempts: Int?
        var fault: String?
        var owner: String?
        var reason: String?
        var expires: String?
        var executions: Int?
        var pattern: String?
        var medianNanoseconds: Int64?
        var boundNanoseconds: Int64?
        var machine: String?
        var source: String?
        var code: String?
        var subject: String?
        var before: String?
        var after: String?
        var path: String?
        var baseTally: Tally?

        init(_ violation: Violation) {
            switch violation {
            case .buildFailed(let errors, let first):
                rule = "build"
                self.errors = errors
                self.first = first.map { Message($0.message, $0.location) }
            case .testFailed(let id, let outcome, let issue):
                rule = "tests"
                test = id.description
                self.outcome = outcome.rawValue
                first = issue.map { Message($0.message, $0.location) }
            case .floorMissed(let violation):
                rule = "floor"
                module = violation.module
                metric = violation.metric.rawValue
                tally = Tally(violation.tally)
                floor = violation.floor.description
                shortfall = violation.shortfall
                source = violation.source?.rawValue
                files = violation.files.map(MissedFileRow.init)
            case .coverageMissed(let violation):
                switch violation.rule {
                case .patch: rule = "patch"
                case .project: rule = "project"
                case .drop(let base):
                    rule = "project-drop"
                    baseTally = Tally(base)
                case .file(let file):
                    rule = "file"
                    path = file
                }
                metric = CoverageMetric.line.rawValue
                tally = Tally(violation.tally)
                floor = violation.limit.description
                shortfall = violation.shortfall
                files = violation.files.map(MissedFileRow.init)
            case .tooFewTests(let executed, let minimum):
                rule = "minimum-tests"
                self.executed = executed
                self.minimum = minimum
            case .testFlaky(let id, let attempts):
                rule = "flaky"
                test = id.description
                self.attempts = attempts
            case .quarantineBroken(let entry, let fault):
                rule = "quarantine"
                test = entry.test
                owner = entry.owner
                reason = entry.reason
                expires = entry.expires.description
                self.fault = fault.code
                if case .alwaysFails(let executions) = fault { self.executions = executions }
            case .budgetExceeded(let violation):
                rule = "budget"
                test = violation.test.description
                pattern = violation.pattern
                medianNanoseconds = JSONReport.nanoseconds(violation.median)
                boundNanoseconds = JSONReport.nanoseconds(violation.bound)
                executions = violation.executions
                machine = violation.machine?.description
            case .gateChange(let change):
                rule = "gate-change"
                code = change.code.rawValue
                subject = change.subject
                metric = change.metric?.rawValue
                before = change.before
                after = change.after
            }
        }
    }
}
