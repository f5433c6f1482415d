import Gate
import RunModel
import Wording

extension JSONReport {
    /// Whom to ask about a test, and where that is known from.
    struct Owner: Hashable, Encodable {
        let source: String
        let names: [String]

        init(_ owner: TestOwner) {
            source = owner.code
            names = owner.names
        }
    }

    /// The `CODEOWNERS` file that names the owners.
    struct OwnersRow: Hashable, Encodable {
        struct Skipped: Hashable, Encodable {
            let line: Int
            let reason: String
        }

        let path: String
        let form: String?
        let commit: String?
        let problem: String?
        let skippedLines: [Skipped]

        init(_ list: CodeOwners, isCut: Bool) {
            path = list.file.path
            form = list.file.form?.rawValue
            commit = list.file.commit
            problem = list.fault ?? (isCut ? "not all is looked up, as that would take too long" : nil)
            skippedLines = list.skipped.map { Skipped(line: $0.line, reason: $0.reason) }
        }
    }
}

extension TestResult {
    /// Whether somebody has to look at it: it failed, or it is flaky.
    var isInDoubt: Bool { outcome.isFailure || isFlaky }
}
