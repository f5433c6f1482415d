public import RunModel
import Wording

/// A run as SonarQube's generic data: coverage, and the execution of tests.
///
/// Source: docs.sonarsource.com, "Generic test data", format version 1.
public enum SonarReport {
    /// The coverage; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - pathPrefix: The package's folder relative to the repository, where it is not the repository itself.
    public static func coverage(_ run: TestRun, pathPrefix: String = "") -> String? {
        guard let files = run.coverage?.files, !files.isEmpty else { return nil }
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<coverage version="1">"#]
        for file in files {
            lines.append(#"  <file path="\#(XMLText.attribute(RepositoryPath.of(file.path, in: pathPrefix)))">"#)
            lines += file.lines.map {
                #"    <lineToCover lineNumber="\#($0.line)" covered="\#($0.count.isCovered)"/>"#
            }
            lines.append("  </file>")
        }
        return (lines + ["</coverage>\n"]).joined(separator: "\n")
    }

    /// The tests by file, and how many tests are not in it because nothing tells their file, which Sonar demands.
    public static func tests(_ run: TestRun, pathPrefix: String = "") -> (text: String, omitted: Int) {
        let places = TestFiles(run)
        var files: [(path: String, tests: [TestResult])] = []
        var indices: [[UInt8]: Int] = [:]
        var omitted = 0
        for test in run.tests.sorted(by: { $0.id < $1.id }) {
            guard let path = places.file(of: test) else {
                omitted += 1
                continue
            }
            if let index = indices[Array(path.utf8)] {
                files[index].tests.append(test)
            } else {
                indices[Array(path.utf8)] = files.count
                files.append((path, [test]))
            }
        }
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testExecutions version="1">"#]
        for file in files {
            lines.append(#"  <file path="\#(XMLText.attribute(RepositoryPath.of(file.path, in: pathPrefix)))">"#)
            lines += file.tests.map(element)
            lines.append("  </file>")
        }
        return ((lines + ["</testExecutions>\n"]).joined(separator: "\n"), omitted)
    }

    private static func element(_ test: TestResult) -> String {
        let milliseconds = (test.duration ?? .zero) / .milliseconds(1)
        let start =
            #"    <testCase name="\#(XMLText.attribute(test.id.description))""#
            + #" duration="\#(Int(exactly: milliseconds.rounded(.down)) ?? 0)""#
        let tag: String
        let message: String
        switch test.outcome {
        case .passed, .knownIssue: return start + "/>"
        case .skipped: (tag, message) = ("skipped", test.skipReason ?? "skipped")
        case .failed, .crashed, .timedOut, .notRun:
            tag = test.outcome.isError ? "error" : "failure"
            message = test.firstFailure?.message ?? test.silentFailure ?? test.outcome.label
        }
        let place = test.firstFailure?.location.map { "\($0.description): " } ?? ""
        return start + #"><\#(tag) message="\#(XMLText.attribute(message))">"#
            + XMLText.content(place + message) + "</\(tag)></testCase>"
    }
}
