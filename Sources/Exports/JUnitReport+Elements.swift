import Gate
import RunModel
import Wording

extension JUnitReport {
    /// How many bytes of a failed test's output are kept at each end.
    private static let outputEnd = 16 << 10

    /// One test as its element.
    ///
    /// - Parameters:
    ///   - excuse: What keeps its failure from blocking.
    ///   - attached: Where the files lie that it attached.
    static func element(
        _ test: TestResult, excuse: String?, _ dialect: Dialect, attached: [String]
    ) -> String {
        var start =
            #"  <testcase classname="\#(XMLText.attribute(className(test.id)))""#
            + #" name="\#(XMLText.attribute(name(of: test.id)))""#
            + #" time="\#(Seconds.text(test.duration ?? .zero))""#
        if dialect == .withPlaces, let place = test.firstFailure?.location ?? test.location {
            start += #" file="\#(XMLText.attribute(place.path))" line="\#(place.line)""#
        }
        let (results, output) = excuse.map { excused(test, $0) } ?? content(test)
        let words = ([output] + attached.map(attachment)).compactMap(\.self).joined(separator: "\n")
        let content = results + (words.isEmpty ? [] : ["    <system-out>\(XMLText.content(words))</system-out>"])
        return content.isEmpty ? start + "/>" : ([start + ">"] + content + ["  </testcase>"]).joined(separator: "\n")
    }

    /// The name that distinguishes a test from the others of its suite.
    static func name(of id: TestID) -> String {
        id.discriminator.isEmpty ? id.name : "\(id.name) (\(id.discriminator))"
    }

    /// The line by which Jenkins' plug-in for attachments finds a file: alone on a line of the output.
    private static func attachment(_ path: String) -> String? {
        let isPlain = !path.unicodeScalars.contains { $0.value < 0x20 || $0 == "|" || $0 == "]" }
        return isPlain ? "[[ATTACHMENT|\(path)]]" : nil
    }

    /// The elements that say how a test ended, and its output.
    private static func content(_ test: TestResult) -> (results: [String], output: String?) {
        let earlier = test.attempts.dropLast().filter { $0.outcome.isFailure }
        switch test.outcome {
        case .passed, .knownIssue: return (earlier.map { attempt($0, as: "flakyFailure") }, nil)
        // Never beside a failure: Jenkins would take the test for skipped.
        case .skipped: return ([#"    <skipped message="\#(XMLText.attribute(test.skipReason ?? ""))"/>"#], nil)
        case .failed, .crashed, .timedOut, .notRun:
            let tag = test.outcome.isError ? "error" : "failure"
            let message = test.firstFailure?.message ?? test.silentFailure ?? ""
            let silent = test.silentFailure.map { words in test.location.map { "\($0.description): \(words)" } ?? words
            }
            let details = (issues(test.issues) + (silent.map { [$0] } ?? [])).joined(separator: "\n\n")
            let lines = [
                #"    <\#(tag) message="\#(XMLText.attribute(message))" type="\#(test.outcome.rawValue)">"#
                    + XMLText.content(details) + "</\(tag)>"
            ]
            return (
                lines + earlier.map { attempt($0, as: "rerunFailure") }, test.attempts.last?.output.map(shortened)
            )
        }
    }

    /// A failure that does not block: nothing that reddens, and nothing that looks as if it had not been.
    private static func excused(_ test: TestResult, _ excuse: String) -> (results: [String], output: String?) {
        let words = "\(test.outcome.label), \(excuse)"
        var attempts = test.attempts.filter { $0.outcome.isFailure }
        if attempts.isEmpty { attempts = [TestAttempt(outcome: test.outcome, issues: test.issues)] }
        return (attempts.map { attempt($0, as: "flakyFailure") }, words)
    }

    /// An attempt that was not the last, or does not count.
    private static func attempt(_ attempt: TestAttempt, as tag: String) -> String {
        let message = attempt.issues.first(where: \.isFailure)?.message ?? attempt.outcome.label
        let trace = issues(attempt.issues).joined(separator: "\n\n")
        var text =
            #"    <\#(tag) message="\#(XMLText.attribute(message))" type="\#(attempt.outcome.rawValue)">"#
            + "<stackTrace>\(XMLText.content(trace.isEmpty ? message : trace))</stackTrace>"
        if let output = attempt.output {
            text += "<system-out>\(XMLText.content(shortened(output)))</system-out>"
        }
        return text + "</\(tag)>"
    }

    /// Every issue with its place in front.
    private static func issues(_ issues: [Issue]) -> [String] {
        issues.filter(\.isFailure).map { issue in
            let place = issue.location.map { "\($0.description): " } ?? ""
            return place + issue.message + (issue.argument.map { "\nArgument: \($0)" } ?? "")
        }
    }

    private static func shortened(_ output: String) -> String {
        let bytes = output.utf8
        let hidden = bytes.count - 2 * outputEnd
        guard hidden > 0 else { return output }
        let head = String(decoding: bytes.prefix(outputEnd), as: UTF8.self)
        return
            "\(head)\n… \(Figures.grouped(hidden)) bytes …\n\(String(decoding: bytes.suffix(outputEnd), as: UTF8.self))"
    }
}

extension Outcome {
    /// What JUnit calls an error. A test that never ran is one too: skipped tests look harmless, and this one is not.
    var isError: Bool {
        switch self {
        case .crashed, .timedOut, .notRun: true
        case .passed, .failed, .skipped, .knownIssue: false
        }
    }
}
