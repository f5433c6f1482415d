import Exports
import Gate
import Repository
import RunModel
import SettingsFile

/// The commits of a range with their verdicts.
package struct Audit: Sendable {
    /// One commit.
    package struct Entry: Sendable {
        let commit: String
        let tree: String
        let subject: String
        /// What the newest full run of the tree says of the commit; `nil` if there is none.
        let decision: String?
        let run: String?
        /// Why nothing can be said of the commit, such as invalid settings; `nil` if something can.
        let fault: String?

        init(_ commit: ListedCommit, run: RunID? = nil, decision: Decision? = nil, fault: String? = nil) {
            self.fault = fault
            self.commit = commit.commit.hexadecimal
            tree = commit.tree.hexadecimal
            subject = commit.subject
            self.decision = decision?.rawValue
            self.run = run?.description
        }
    }

    /// For a program.
    package struct Report: Encodable {
        let commits: Int
        let cleared: Int
        let isCut: Bool
        let entries: [JudgedCommitForm]
    }

    package var entries: [Entry] = []
    /// Whether the history of the clone ends within the range, so that commits may be missing.
    package var isCut = false

    /// Of no commit yet.
    package init() {}

    /// What is wrong with the settings of a commit; `nil` for other errors.
    static func fault(of error: any Error) -> String? {
        if case SettingsError.badEnvironment = error { return nil }
        guard let problem = Problem(explaining: error), problem.status == .badConfiguration else { return nil }
        return problem.reason
    }

    /// The commits whose tree has not passed.
    package var uncleared: [Entry] { entries.filter { $0.decision != Decision.passed.rawValue } }

    package var report: Report {
        Report(
            commits: entries.count, cleared: entries.count - uncleared.count, isCut: isCut,
            entries: entries.map {
                JudgedCommitForm(
                    commit: $0.commit, tree: $0.tree, subject: $0.subject, decision: $0.decision, run: $0.run,
                    fault: $0.fault)
            })
    }

    /// For a terminal: the commits that have not passed, then how many have.
    package var text: String {
        let lines = uncleared.map { entry in
            let state =
                if let fault = entry.fault { "no verdict (\(TerminalText.safe(fault)))" } else {
                    entry.state
                }
            return "✕ \(entry.commit.prefix(12)) \(state): \(TerminalText.safe(entry.subject))"
        }
        let count = Figures.counted(entries.count, "commit")
        return (lines + ["\(entries.count - uncleared.count) of \(count) passed"]).joined(separator: "\n")
    }
}

extension Audit.Entry {
    /// Why it has not passed, in words.
    fileprivate var state: String {
        let place = "in run \(run?.suffix(12) ?? "")"
        return switch decision {
        case nil: "no verdict"
        case Decision.undecided.rawValue: "undecided \(place)"
        default: "blocked \(place)"
        }
    }
}
