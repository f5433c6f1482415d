import Gate
import RunModel
import Wording

/// A problem of a run at a line of the sources. Annotations of a change are made of these.
struct Finding: Sendable, Hashable {
    enum Kind: String, Sendable, Hashable, CaseIterable {
        case buildError = "build-error"
        case testFailed = "test-failed"
        /// A failure that does not block: the test is in quarantine, or the base is broken in the same way.
        case testExcused = "test-excused"
        case ruleViolated = "rule-violated"
        case evidenceMissing = "evidence-missing"
        /// Lines that count towards a missed floor once they are covered; none of them is an error by itself.
        case lineMissed = "line-missed"

        /// Whether the run does not pass because of it.
        var isError: Bool {
            switch self {
            case .buildError, .testFailed, .ruleViolated, .evidenceMissing: true
            case .testExcused, .lineMissed: false
            }
        }
    }

    let kind: Kind
    /// What it is about, in a few words; untrusted text.
    let title: String
    /// The message; untrusted text, may have several lines.
    let message: String
    /// Why a test failed, or whether it failed before the change already; untrusted text. However long the message is, this is shown.
    let origin: String?
    /// Relative to the repository; `nil` where it is about no file.
    let path: String?
    /// The lines it is about.
    let lines: ClosedRange<Int>?
    /// Counted from 1 in UTF-8 bytes, where known.
    let column: Int?
    /// An identity that stays the same from run to run, so that a reader can tell which findings are new.
    ///
    /// It holds no line, because lines move, and for missed lines no numbers, which change with every commit.
    let identity: String

    /// The place for formats in which every finding needs one: its own, or for an error without a place the first line of the
    /// manifest; `nil` for anything else. An error must not vanish, or the report would look as if there were none.
    func place(in prefix: String) -> (path: String, lines: ClosedRange<Int>)? {
        if let path, let lines { return (path, lines) }
        return kind.isError ? (RepositoryPath.of("Package.swift", in: prefix), 1...1) : nil
    }

    /// The title and the message as one text, in which nothing acts in a terminal or an editor.
    var sentence: String {
        TerminalText.cut(TerminalText.safe("\(title): \(message)"), to: 1000)
            + (origin.map { TerminalText.cut(TerminalText.safe("\n\($0)"), to: 300) } ?? "")
    }

    /// Counts findings that differ only in their order, so that each has a fingerprint of its own.
    struct Occurrences {
        private var seen: [String: Int] = [:]

        /// The text by which readers distinguish a finding from others; to be asked for in the order of the findings.
        mutating func fingerprint(of finding: Finding) -> String {
            let occurrence = seen[finding.identity, default: 0]
            seen[finding.identity] = occurrence + 1
            return StableHash("\(finding.identity)\n\(occurrence)").hexadecimal
        }
    }

    /// How many ranges of missed lines are named for a floor, worst files first.
    private static let mostRanges = 20

    /// Everything of a judged run that is worth an annotation, gravest first.
    static func all(_ run: TestRun, _ verdict: Verdict, pathPrefix: String) -> [Finding] {
        let errors = run.diagnostics.filter { $0.severity == .error }.map { error in
            Finding(.buildError, "build error", error.message, error.location, in: pathPrefix)
        }
        let explanation = FailureExplanation(verdict)
        let failures = run.tests.filter(\.outcome.isFailure).flatMap {
            failed($0, verdict, explanation.sentence(on: $0.id), in: pathPrefix)
        }
        let gaps = verdict.gaps.map { gap in
            Finding(.evidenceMissing, gap.words.code, "\(gap.words.sentence)\n\(gap.words.remedy)", nil, in: pathPrefix)
        }
        let findings = errors + failures + gaps + verdict.violations.flatMap { violated($0, in: pathPrefix) }
        guard verdict.decision != .passed, !findings.contains(where: \.kind.isError) else { return findings }
        let kind: Kind = verdict.decision == .failed ? .ruleViolated : .evidenceMissing
        let headline = Headline(run, verdict)
        return [Finding(kind, headline.word, headline.detail, nil, in: pathPrefix)] + findings
    }

    private static func failed(
        _ test: TestResult, _ verdict: Verdict, _ origin: String?, in prefix: String
    ) -> [Finding] {
        let kind: Kind = verdict.excuse(for: test) == nil ? .testFailed : .testExcused
        let title = "\(test.title) \(verdict.reason(of: test))"
        let issues = test.issues.filter(\.isFailure).map { issue in
            let argument = issue.argument.map { "\nArgument: \($0)" } ?? ""
            return Finding(
                kind, title, issue.message + argument, issue.location ?? test.location, in: prefix, origin: origin)
        }
        guard issues.isEmpty else { return issues }
        return [
            Finding(
                kind, title, test.silentFailure ?? test.outcome.label, test.location, in: prefix, origin: origin)
        ]
    }

    private static func violated(_ violation: Violation, in prefix: String) -> [Finding] {
        // A failed test has findings of its own.
        guard !violation.isTestFailure else { return [] }
        guard let coverage = violation.coverage else {
            let message = "\(violation.sentence) \(violation.hint ?? "")"
            return [Finding(.ruleViolated, violation.title, message, nil, in: prefix)]
        }
        let ranges = coverage.files.flatMap { file in file.ranges.map { (file.path, $0) } }
        let floor = "floor of \(violation.title)"
        return [
            Finding(
                kind: .ruleViolated, title: floor, message: violation.sentence, path: nil, lines: nil, column: nil,
                about: floor)
        ]
            + ranges.prefix(mostRanges).map { path, range in
                Finding(
                    kind: .lineMissed, title: "not covered", message: violation.sentence,
                    path: RepositoryPath.of(path, in: prefix), lines: range, column: nil, about: violation.title)
            }
    }

    /// - Parameter origin: It stays out of the identity, because it changes from run to run.
    private init(
        _ kind: Kind, _ title: String, _ message: String, _ place: SourceLocation?, in prefix: String,
        origin: String? = nil
    ) {
        self.init(
            kind: kind, title: title, message: message, origin: origin,
            path: place.map { RepositoryPath.of($0.path, in: prefix) },
            lines: place.map { max(1, $0.line)...max(1, $0.line) }, column: place?.column,
            about: "\(title)\n\(message)")
    }

    private init(
        kind: Kind, title: String, message: String, origin: String? = nil, path: String?, lines: ClosedRange<Int>?,
        column: Int?, about: String
    ) {
        self.kind = kind
        self.title = title
        self.message = message
        self.origin = origin
        self.path = path
        self.lines = lines
        self.column = column
        identity = "\(kind.rawValue)\n\(path ?? "")\n\(about)"
    }
}
