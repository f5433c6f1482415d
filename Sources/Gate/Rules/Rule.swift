import RunModel

/// One rule of the gate: what it demands, how a run violates it, and what a commit must not make laxer.
///
/// Each rule is one file in this folder, and stands once in `Rules.all`. Everything else asks the list.
protocol Rule: Sendable {
    /// The stable code that reports name it by, such as `minimum-tests`.
    static var code: String { get }
    /// The ways in which a commit can make it laxer.
    static var changes: [GateChangeCode] { get }

    /// What a policy demands by this rule, for a person; empty where the rule has no setting.
    static func demands(of policy: Policy) -> [Demand]
    /// Notes what is laxer than at the base, and keeps the base's value where no waiver lets that pass.
    static func compare(_ comparison: inout BaseComparison)
    /// Finds out whether a run violates it.
    static func judge(_ input: RuleInput, into findings: inout Findings)

    /// The number of violations that is shown to people; a module under two floors counts once.
    static func count(_ violations: [Violation]) -> Int
    /// A number of its violations in a few words: `2 files under their floors`.
    static func summary(_ count: Int) -> String
    /// The violations of this rule as parts of a headline.
    static func headline(_ violations: [Violation]) -> [String]
}

extension Rule {
    static var changes: [GateChangeCode] { [] }
    static func demands(of policy: Policy) -> [Demand] { [] }
    static func compare(_ comparison: inout BaseComparison) {}
    static func judge(_ input: RuleInput, into findings: inout Findings) {}
    static func count(_ violations: [Violation]) -> Int { violations.count }
    static func summary(_ count: Int) -> String { code }
    static func headline(_ violations: [Violation]) -> [String] { [summary(count(violations))] }
}

/// A way in which a commit can make a rule laxer than it is at its base. Each rule declares its own codes, in its file.
public struct GateChangeCode: Sendable {
    /// The stable code, such as `floor-lowered`.
    public let rawValue: String
    /// One sentence that says what it means.
    public let meaning: String
    /// Whether a waiver names the module or test target that it is about, and not the code.
    let isWaivedBySubject: Bool
    /// Whether it is found by comparing tests with the base's stored run.
    let needsStoredRun: Bool

    init(_ rawValue: String, _ meaning: String, isWaivedBySubject: Bool = false, needsStoredRun: Bool = false) {
        self.rawValue = rawValue
        self.meaning = meaning
        self.isWaivedBySubject = isWaivedBySubject
        self.needsStoredRun = needsStoredRun
    }
}

extension GateChangeCode: Hashable, CaseIterable, Codable {
    /// Every code, in the order of the rules.
    public static let allCases: [GateChangeCode] = Rules.all.flatMap { $0.changes }

    /// The rules on tests that compare with the base's stored run.
    static var needingStoredRun: [GateChangeCode] { allCases.filter(\.needsStoredRun) }

    /// Codes are the same when they are written the same.
    public static func == (left: GateChangeCode, right: GateChangeCode) -> Bool { left.rawValue == right.rawValue }

    /// Hashes what is written.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Decodes a code as it is written; one that no rule declares is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let written = try container.decode(String.self)
        guard let code = Self.allCases.first(where: { $0.rawValue == written }) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "no gate change is called '\(written)'")
        }
        self = code
    }

    /// Encodes the code as it is written.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// What a policy demands by one rule.
public struct Demand: Sendable, Hashable {
    /// What the demand is on: `Changed lines`; may hold untrusted text.
    public let name: String
    /// What is demanded: `≥ 90 % from 5 lines on`; `nil` where nothing is.
    public let words: String?
}

extension Policy {
    /// What every rule demands but the floors of modules, in the order of the rules.
    public var demands: [Demand] { Rules.all.flatMap { $0.demands(of: self) } }
}

/// The input of rules: a run, its settings, and its modules.
struct RuleInput {
    let run: TestRun
    /// The settings of the run, and the stricter of them and of the base's.
    let applied: AppliedPolicy
    /// The modules with unstable lines as not covered.
    let modules: [MeasuredModule]
    /// The same with unstable lines as covered.
    let lenient: [MeasuredModule]
    /// The entries of the quarantine.
    let quarantine: [QuarantineStatus]
    /// The tests whose failures the base has, too, and that do not block for that.
    let allowed: Set<TestID>
    let past: PastResults
    /// What came of new and changed tests that were repeated; `nil` where none is known to be.
    let probation: Probation?
    /// How the run compares with its base; `nil` when nobody compared it.
    let change: ChangeStatus?
    /// Whether rules on the change have something to compare with.
    let isCompared: Bool

    var rules: Policy { applied.rules }
    /// Whether all tests ran: a part of them says nothing about their number, or about what all of them cover.
    var isWhole: Bool { !run.buildFailed && !run.isPartial }
    /// The tests whose failures do not block by the quarantine.
    var exempt: Set<TestID> { Set(quarantine.filter(\.isInForce).compactMap(\.id)) }
    /// The files that count.
    var files: [FileCoverage] { modules.filter { $0.notMeasurable == nil }.flatMap(\.files) }
    /// Whether tests were executed and no module has a line that could be measured.
    var lacksLines: Bool { isWhole && !isCutShort && run.lacksLines(in: modules) }
    /// Whether a test that ended its process explains why there is no coverage.
    var isCutShort: Bool {
        guard run.coverage == nil else { return false }
        let exempt = exempt
        return run.failures.contains { [.crashed, .timedOut].contains($0.outcome) && !exempt.contains($0.id) }
    }
}

/// What rules find in a run.
struct Findings {
    var violations: [Violation] = []
    var gaps: [Gap] = []
    /// The settings that need a base, where nobody knows one.
    var needsBase: [String] = []

    /// Says that a setting cannot be judged, because there is no line to measure.
    mutating func addGap(withoutLinesFor key: String) {
        gaps.append(
            Gap(
                .coverageMissing, subject: key, detail: "no module has a line to measure, so nothing can be judged"
            ))
    }
}
