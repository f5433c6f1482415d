public import Gate
public import RunModel
import Wording

/// A run as SonarQube's generic data: coverage, and the execution of tests.
///
/// Source: docs.sonarsource.com, "Generic test data", format version 1.
public enum SonarReport {
    /// The coverage that counts; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - verdict: Says which files are excluded.
    ///   - pathPrefix: The package's folder relative to the repository, where it is not the repository itself.
    public static func coverage(_ run: TestRun, _ verdict: Verdict, pathPrefix: String = "") -> String? {
        let files = verdict.countedFiles(of: run.coverage)
        guard !files.isEmpty else { return nil }
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<coverage version="1">"#]
        if let words = verdict.reservation(of: run) { lines.insert(XMLText.comment(words), at: 1) }
        for file in files {
            lines.append(#"  <file path="\#(XMLText.attribute(RepositoryPath.of(file.path, in: pathPrefix)))">"#)
            lines += file.lines.map {
                #"    <lineToCover lineNumber="\#($0.line)" covered="\#($0.count.isCovered)"/>"#
            }
            lines.append("  </file>")
        }
        return (lines + ["</coverage>\n"]).joined(separator: "\n")
    }

    /// The tests by file, and the number of tests that are omitted because their file is unknown, which Sonar
    /// requires.
    ///
    /// Nothing that keeps the run from passing is omitted: a failed test of an unknown file, a gap and a violation are listed
    /// under the first known file of the tests, or under the manifest where none is known. A failure that does not
    /// block counts as skipped, with the quarantine entry as the reason, or the base's run that has it, too.
    public static func tests(
        _ run: TestRun, _ verdict: Verdict, pathPrefix: String = ""
    ) -> (text: String, omitted: Int) {
        let places = TestFiles(run)
        let entries =
            run.tests.sorted { $0.id < $1.id }.map { test in
                let excuse = verdict.excuse(for: test)
                return (test: test, excuse: excuse, isRed: test.outcome.isFailure && excuse == nil)
            }
            // Nothing excuses these, whatever test it names.
            + verdict.obstacles(of: run).map { (test: $0, excuse: nil, isRed: true) }
        var files: [(path: String, tests: [String])] = []
        var indices: [Name: Int] = [:]
        var omitted = 0
        for (test, excuse, isRed) in entries {
            guard let path = places.file(of: test) ?? (isRed ? places.any : nil) else {
                omitted += 1
                continue
            }
            let text = element(test, excuse: excuse)
            if let index = indices[Name(path)] {
                files[index].tests.append(text)
            } else {
                indices[Name(path)] = files.count
                files.append((path, [text]))
            }
        }
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testExecutions version="1">"#]
        for file in files {
            lines.append(#"  <file path="\#(XMLText.attribute(RepositoryPath.of(file.path, in: pathPrefix)))">"#)
            lines += file.tests
            lines.append("  </file>")
        }
        return ((lines + ["</testExecutions>\n"]).joined(separator: "\n"), omitted)
    }

    private static func element(_ test: TestResult, excuse: String?) -> String {
        let milliseconds = (test.duration ?? .zero) / .milliseconds(1)
        let start =
            #"    <testCase name="\#(XMLText.attribute(test.id.description))""#
            + #" duration="\#(Int(exactly: milliseconds.rounded(.down)) ?? 0)""#
        let tag: String
        let message: String
        var details: String?
        switch test.outcome {
        case .passed, .knownIssue: return start + "/>"
        case .skipped: (tag, message) = ("skipped", test.skipReason ?? "skipped")
        case .failed, .crashed, .timedOut, .notRun:
            let failure = test.firstFailure?.message ?? test.silentFailure ?? test.outcome.label
            details = (test.firstFailure?.location.map { "\($0.description): " } ?? "") + failure
            if let excuse {
                (tag, message) = ("skipped", "\(test.outcome.label), \(excuse)")
            } else {
                (tag, message) = (test.outcome.isError ? "error" : "failure", failure)
            }
        }
        return start + #"><\#(tag) message="\#(XMLText.attribute(message))">"#
            + XMLText.content(details ?? message) + "</\(tag)></testCase>"
    }
}
