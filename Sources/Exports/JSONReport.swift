import Foundation
public import Gate
public import RunModel
import Wording

/// A run as JSON for programs. `docs/report.md` lists the fields, `docs/report.schema.json` is their schema.
///
/// Fields are only ever added; programs must check `schemaVersion`.
public struct JSONReport: Sendable, Hashable, Encodable {
    /// The version of the format.
    public static let schemaVersion = 1

    let schemaVersion = Self.schemaVersion
    let run: Run
    let verdict: VerdictSummary
    let outcomes: Outcomes
    let tests: [Test]
    let failures: [Failure]
    let buildErrors: [Message]
    let modules: [ModuleRow]
    let change: Comparison?
    let violations: [ViolationRow]
    let quarantine: [QuarantineForm]
    let gaps: [Remark]
    let notes: [Remark]
    let exclusions: [ExclusionForm]
    let files: [FileRow]
    let unattributed: [UnattributedRow]
    let unattributedFiles: [String]
    let unstable: [UnstableRow]?
    let base: Base?
    let estimatedCoverage: EstimateRow?
    let owners: OwnersRow?
    let probation: ProbationRow?
    let causes: CausesRow?
    let failureGroups: [GroupRow]?
    let leftOut: LeftOut?

    /// How many entries of lists an answer of a server does without, as it would be too large with them; 0 is absent.
    struct LeftOut: Hashable, Encodable {
        let tests: Int?
        let failures: Int?
        let violations: Int?
        let files: Int?
    }

    /// Renders a run and its verdict with sorted keys, an indentation of two blanks and a newline at the end.
    ///
    /// - Parameter most: How many tests, failures, violations and files it has at most, the first; how many more there are is
    ///   in `leftOut`.
    /// - Throws: Whatever the encoder throws, which for values of this form is nothing.
    public static func render(_ run: TestRun, _ verdict: Verdict, most: Int = .max) throws -> String {
        try JSONText.document(JSONReport(run, verdict, most: most))
    }

    init(_ run: TestRun, _ verdict: Verdict, most: Int = .max) {
        self.run = Run(run)
        self.verdict = VerdictSummary(run, verdict)
        outcomes = Outcomes(run.outcomes)
        let people = RunOwners(run, verdict)
        tests = run.tests.prefix(most).map { Test($0, owner: $0.isInDoubt ? people.owner(of: $0) : nil) }
        let explanation = FailureExplanation(verdict, of: run)
        let failed = run.failures
        failures = failed.prefix(most).map {
            Failure($0, verdict, explanation, owner: people.owner(of: $0))
        }
        buildErrors = run.diagnostics.filter { $0.severity == .error }.map { Message($0.message, $0.location) }
        let kinds = Dictionary(run.modules.map { (Name($0.name), $0.kind) }) { first, _ in first }
        modules = verdict.modules.map {
            ModuleRow($0, kind: kinds[Name($0.module)], owners: people.owners(ofModule: $0.module))
        }
        change = verdict.change.map(Comparison.init)
        violations = verdict.violations.prefix(most).map(ViolationRow.init)
        quarantine = verdict.quarantine.map { QuarantineForm($0) }
        gaps = verdict.gaps.map { Remark($0.code, $0.subject, $0.detail, remedy: $0.code.remedy) }
        notes = (run.notes + (verdict.change?.notes ?? [])).map { Remark($0.code, $0.subject, $0.detail, remedy: nil) }
        exclusions = verdict.exclusions.map { ExclusionForm($0) }
        let measured = run.coverage?.files ?? []
        files = measured.prefix(most).map(FileRow.init)
        let others = run.coverage?.unattributed ?? []
        unattributed = others.map(UnattributedRow.init)
        unattributedFiles = others.map(\.path)
        unstable = verdict.unstable.isEmpty ? nil : verdict.unstable.map(UnstableRow.init)
        base = verdict.base.map(Base.init)
        estimatedCoverage = verdict.estimate.map(EstimateRow.init)
        owners = people.list.map { OwnersRow($0, isCut: people.isCut) }
        probation = verdict.probation.map { ProbationRow($0, commit: run.stressedCommit) }
        causes = verdict.causes.map { CausesRow($0, sentence: explanation.inShort) }
        failureGroups = explanation.groups.isEmpty ? nil : explanation.groups.map { GroupRow($0) }
        let rests = [run.tests.count, failed.count, verdict.violations.count, measured.count].map { count in
            count > most ? count - most : nil
        }
        leftOut =
            rests.allSatisfy { $0 == nil }
            ? nil : LeftOut(tests: rests[0], failures: rests[1], violations: rests[2], files: rests[3])
    }
}
