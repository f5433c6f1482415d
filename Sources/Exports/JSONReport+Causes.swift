import Gate
import RunModel
import Wording

extension JSONReport {
    /// Why a test failed, with its proof.
    struct Cause: Hashable, Encodable {
        let kind: String
        let doubt: String?
        let sentence: String
        let alone: TrialRow
        let company: TrialRow
        let base: TrialRow
        let fellows: [String]
        let baseRun: String?
        let functions: [String]
        let functionCount: Int
        let variables: [String]?

        init(_ cause: FailureCause, sentence: String) {
            kind = cause.kind.rawValue
            doubt = cause.doubt?.rawValue
            self.sentence = sentence
            alone = TrialRow(cause.alone)
            company = TrialRow(cause.company)
            base = TrialRow(cause.base)
            fellows = cause.fellows.map(\.description)
            baseRun = cause.storedRun?.description
            functions = cause.functions
            functionCount = cause.functionCount
            variables = cause.variables
        }
    }

    /// How often a test ended in which way while it was repeated.
    struct TrialRow: Hashable, Encodable {
        let passed: Int
        let failed: Int
        let crashed: Int
        let timedOut: Int
        let skipped: Int
        let unended: Int

        init(_ tally: TrialTally) {
            (passed, failed, crashed) = (tally.passed, tally.failed, tally.crashed)
            (timedOut, skipped, unended) = (tally.timedOut, tally.skipped, tally.unended)
        }
    }

    /// How the causes were looked for.
    struct CausesRow: Hashable, Encodable {
        let sentence: String?
        let base: String?
        let obstacle: String?
        let durationNanoseconds: Int64
        let cutShort: Bool

        init(_ causes: FailureCauses, sentence: String?) {
            self.sentence = sentence
            base = causes.base
            obstacle = causes.obstacle
            durationNanoseconds = causes.nanoseconds
            cutShort = causes.isCutShort
        }
    }

    /// Tests that failed for one reason.
    struct GroupRow: Hashable, Encodable {
        let reason: String
        let tests: [String]

        init(_ group: FailureGroup) {
            reason = group.reason
            tests = group.tests.map(\.description)
        }
    }
}
