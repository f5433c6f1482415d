import Gate
import RunModel
import Wording

extension JSONReport {
    struct Outcomes: Hashable, Encodable {
        let total: Int
        let passed: Int
        let failed: Int
        let crashed: Int
        let timedOut: Int
        let skipped: Int
        let knownIssue: Int
        let notRun: Int

        init(_ tally: OutcomeTally) {
            total = tally.total
            passed = tally[.passed]
            failed = tally[.failed]
            crashed = tally[.crashed]
            timedOut = tally[.timedOut]
            skipped = tally[.skipped]
            knownIssue = tally[.knownIssue]
            notRun = tally[.notRun]
        }
    }

    struct Location: Hashable, Encodable {
        let path: String
        let line: Int
        let column: Int?

        init(_ location: SourceLocation) {
            path = location.path
            line = location.line
            column = location.column
        }
    }

    struct Message: Hashable, Encodable {
        let message: String
        let location: Location?

        init(_ message: String, _ location: SourceLocation?) {
            self.message = message
            self.location = location.map(Location.init)
        }
    }

    struct Test: Hashable, Encodable {
        struct Issue: Hashable, Encodable {
            let message: String
            let location: Location?
            let argument: String?
            let known: Bool
            let warning: Bool
            let cancelled: Bool
        }

        struct Attachment: Hashable, Encodable {
            let name: String
            let path: String
            let bytes: Int
            let mediaType: String

            init(_ attachment: TestAttachment) {
                name = attachment.name
                path = attachment.path
                bytes = attachment.bytes
                mediaType = attachment.mediaType
            }
        }

        let module: String
        let suite: String
        let name: String
        let file: String?
        let displayName: String?
        let suiteDisplayName: String?
        let tags: [String]
        let library: String
        let outcome: String
        let attempts: Int
        let flaky: Bool
        let durationNanoseconds: Int64?
        let location: Location?
        let arguments: [String]
        let issues: [Issue]
        let skipReason: String?
        let attachments: [Attachment]
        let owner: Owner?

        init(_ test: TestResult, owner: TestOwner?) {
            module = test.id.module
            suite = test.id.suite
            name = test.id.name
            file = test.id.discriminator.isEmpty ? nil : test.id.discriminator
            displayName = test.displayName
            suiteDisplayName = test.suiteDisplayName
            tags = test.tags
            library = test.library.rawValue
            outcome = test.outcome.rawValue
            attempts = test.attempts.count
            flaky = test.isFlaky
            durationNanoseconds = test.duration.map(\.nanosecondCount)
            location = test.location.map(Location.init)
            arguments = test.arguments
            issues = test.issues.map {
                Issue(
                    message: $0.message, location: $0.location.map(Location.init), argument: $0.argument,
                    known: $0.isKnown, warning: $0.isWarning, cancelled: $0.isCancellation
                )
            }
            skipReason = test.skipReason
            attachments = test.attachments.map { Attachment($0) }
            self.owner = owner.map { Owner($0) }
        }
    }

    /// Whether a failed test failed before the change already.
    struct Origin: Hashable, Encodable {
        struct Since: Hashable, Encodable {
            let run: String
            let commit: String?
            let author: String?
            let startedAt: String?
            let first: Bool
            let culprit: CulpritForm?

            init(_ failure: FailureOrigin.FirstFailure) {
                run = failure.run.description
                commit = failure.commit
                author = failure.author
                startedAt = failure.startedAt.map(Timestamp.utc)
                first = failure.isFirst
                culprit = failure.culprit.map { CulpritForm($0) }
            }
        }

        let kind: String
        let since: Since?
        let passedIn: String?
        let failedIn: String?
        let reason: String?

        init(_ origin: FailureOrigin.Kind) {
            kind = origin.code
            var (since, passedIn, failedIn, reason): (Since?, String?, String?, String?)
            switch origin {
            case .new, .newTest: break
            case .redOnBase(let first): since = Since(first)
            case .flaky(let passed, let failed): (passedIn, failedIn) = (passed.description, failed.description)
            case .unknown(let why): reason = why
            }
            (self.since, self.passedIn, self.failedIn, self.reason) = (since, passedIn, failedIn, reason)
        }
    }

    /// What a reader needs of a failed test without looking through all tests.
    struct Failure: Hashable, Encodable {
        let module: String
        let suite: String
        let name: String
        let displayName: String?
        let suiteDisplayName: String?
        let outcome: String
        let message: String
        let location: Location?
        let argument: String?
        let rerun: String?
        let quarantined: Bool
        let allowedByRun: String?
        let origin: Origin?
        let owner: Owner?
        let cause: Cause?

        init(_ test: TestResult, _ verdict: Verdict, _ explanation: FailureExplanation, owner: TestOwner?) {
            let issue = test.firstFailure
            module = test.id.module
            suite = test.id.suite
            name = test.id.name
            displayName = test.displayName
            suiteDisplayName = test.suiteDisplayName
            outcome = test.outcome.rawValue
            message = issue?.message ?? test.silentFailure ?? ""
            location = (issue?.location ?? test.location).map(Location.init)
            argument = issue?.argument
            rerun = test.rerunCommand
            quarantined = verdict.excuses(test)
            allowedByRun = verdict.allowedFailures.first { $0.test == test.id }?.run.description
            origin = explanation.origin(of: test.id).map { Origin($0) }
            cause = explanation.cause(of: test.id).map { Cause($0, sentence: explanation.sentence(on: test.id) ?? "") }
            self.owner = owner.map { Owner($0) }
        }
    }
}
