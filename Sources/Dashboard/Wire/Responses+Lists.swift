import Exports
import Gate
import Pages
import RunModel

/// What the gate lets pass, as it stood in a run.
struct ExceptionsResponse: Codable {
    /// A waiver in force.
    struct Waiver: Codable {
        let subject: String
        let reason: String
        let until: String
        let commit: String
        /// The codes of the gate changes that it lets pass in the run.
        let changes: [String]

        init(_ waived: Exceptions.Waived) {
            subject = waived.waiver.subject
            reason = waived.waiver.reason
            until = waived.waiver.until.description
            commit = waived.waiver.commit
            changes = waived.changes.map(\.code.rawValue)
        }
    }

    /// The latest full run on the default branch; `nil` without one.
    let run: String?
    let waivers: [Waiver]
    let quarantine: [QuarantineForm]
    let disabledTargets: [String]

    init(_ found: (run: RunSummary?, exceptions: Exceptions?)) {
        run = found.run?.id.description
        waivers = (found.exceptions?.waivers ?? []).map { Waiver($0) }
        quarantine = (found.exceptions?.quarantine ?? []).map { QuarantineForm($0) }
        disabledTargets = (found.exceptions?.disabledTargets ?? []).map(\.name)
    }
}

/// A test that failed as it had announced.
struct KnownIssueResponse: Codable {
    let test: TestForm
    let message: String?
    let tags: [String]

    init(_ test: TestResult) {
        self.test = TestForm(test.id, title: test.named.title)
        tags = test.tags
        message = test.issues.first(where: \.isKnown)?.message
    }
}

/// What contains a text.
struct SearchResponse: Codable {
    /// A test of a project.
    struct Test: Codable {
        let project: String
        let test: TestForm
    }

    /// A file of a project, and the run that has it.
    struct File: Codable {
        let project: String
        let path: String
        let run: String
    }

    /// A branch or an author in a project.
    struct Word: Codable {
        let project: String
        let name: String
    }

    /// A test target of a project, and the run that has it.
    struct Target: Codable {
        let project: String
        let name: String
        let run: String
    }

    /// What a test said when it failed, and the newest run in which it did.
    struct Message: Codable {
        let project: String
        let test: TestForm
        let message: String
        let run: String
    }

    let branches: [Word]
    let authors: [Word]
    let targets: [Target]
    let tests: [Test]
    let messages: [Message]
    let files: [File]
    let runs: [RunForm]
    let isCut: Bool

    init(_ findings: SearchFindings) {
        branches = findings.branches.map { Word(project: $0.project, name: $0.thing) }
        authors = findings.authors.map { Word(project: $0.project, name: $0.thing) }
        targets = findings.targets.map {
            Target(project: $0.project, name: $0.thing.name, run: $0.thing.run.description)
        }
        messages = findings.messages.map {
            Message(
                project: $0.project, test: TestForm($0.thing.test.id, title: $0.thing.test.title),
                message: $0.thing.text, run: $0.thing.run.description)
        }
        tests = findings.tests.map { Test(project: $0.project, test: TestForm($0.thing.id, title: $0.thing.title)) }
        files = findings.files.map {
            File(project: $0.project, path: $0.thing.path, run: $0.thing.run.description)
        }
        runs = findings.runs.map { RunForm($0) }
        isCut = findings.isCut
    }
}

/// A badge in the form that shields.io reads.
struct BadgeResponse: Encodable {
    let schemaVersion = 1
    let label = "kanmon"
    let message: String
    let color: String

    init(_ badge: Badge) {
        message = badge.message
        color = badge.color
    }
}

/// The commits of the default branch that have not passed.
struct AuditResponse: Codable {
    /// Which branch was looked at; `nil` where no repository can be asked.
    let branch: String?
    let looked: Int
    let commits: [JudgedCommitForm]

    init() { (branch, looked, commits) = (nil, 0, []) }

    init(_ audit: CommitAudit) {
        branch = audit.branch
        looked = audit.looked
        commits = audit.entries.map {
            JudgedCommitForm(
                commit: $0.commit, subject: $0.subject, decision: $0.decision?.rawValue, run: $0.run?.description)
        }
    }
}
