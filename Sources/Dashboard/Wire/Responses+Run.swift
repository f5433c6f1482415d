import Exports
import Gate
import RunModel

/// A test of a run.
struct ResultResponse: Codable {
    let test: TestForm
    let outcome: String
    let attempts: Int
    let durationNanoseconds: Int64?
    let tags: [String]

    init(_ result: TestResult) {
        test = TestForm(result.id, title: result.named.title)
        tags = result.tags
        outcome = result.outcome.rawValue
        attempts = result.attempts.count
        durationNanoseconds = result.duration.map(\.nanosecondCount)
    }
}

/// A file with coverage; `lines` are pairs of a line and how often it was executed.
struct FileResponse: Codable {
    let path: String
    let module: String
    let tally: CoverageTally
    /// Whether the policy keeps its lines from counting.
    let isExcluded: Bool
    let lines: [[UInt64]]?
    /// How many lines behind those are left out, where there are too many for an answer.
    let linesLeftOut: Int?

    /// - Parameter most: How many lines it has at most; `nil` for none, and no word about them.
    init(_ file: FileCoverage, isExcluded: Bool, lines most: Int? = nil) {
        self.isExcluded = isExcluded
        path = file.path
        module = file.module
        tally = file.lineTally
        lines = most.map { file.lines.prefix($0).map { [UInt64(clamping: $0.line), $0.count.raw] } }
        linesLeftOut = most.flatMap { file.lines.count > $0 ? file.lines.count - $0 : nil }
    }
}

/// A file that a run left behind.
struct EvidenceResponse: Codable {
    let path: String
    let role: String
    let bytes: Int
}

/// The policy of a run, what it says of the run, and what another one would.
struct PolicyResponse: Encodable {
    /// A module as a policy judges it.
    struct Module: Encodable {
        let module: String
        /// Why there is nothing to measure, where there is not.
        let notMeasurable: String?
        let floors: Floors
        let lines: CoverageTally
        let regions: CoverageTally
        let functions: CoverageTally
        /// What is under its floor: `line`, `region`, `function`.
        let underFloor: [String]

        init(_ status: ModuleCoverage) {
            module = status.module
            notMeasurable = status.notMeasurable
            floors = status.floors
            lines = status.lines
            regions = status.regions
            functions = status.functions
            underFloor = CoverageMetric.allCases.filter { status.isUnderFloor($0) }.map(\.rawValue)
        }
    }

    /// What another floor on the lines of every module would say.
    struct WhatIf: Encodable {
        let line: Percentage
        let decision: String
        let modules: [Module]
    }

    let decision: String
    /// In the form of `policy.json` in a run directory.
    let policy: Policy
    let modules: [Module]
    let whatIf: WhatIf?

    init(_ verdict: Verdict, whatIf: (floor: Percentage, verdict: Verdict)?) {
        decision = verdict.decision.rawValue
        policy = verdict.policy
        modules = verdict.modules.map { Module($0) }
        self.whatIf = whatIf.map { floor, verdict in
            WhatIf(line: floor, decision: verdict.decision.rawValue, modules: verdict.modules.map { Module($0) })
        }
    }
}
