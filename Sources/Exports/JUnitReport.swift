public import RunModel
import Wording

/// A run as JUnit XML, in the dialect that Jenkins reads without losing anything.
///
/// Jenkins takes the package of a test from what stands before the last dot of `classname`, so there is exactly one dot;
/// it shows only the first failure of a test, so there is one with all issues in it; and it reads neither `file` nor
/// `line`, so the place leads the text. The shape also satisfies the stricter schema of its xUnit plug-in.
public enum JUnitReport {
    /// A file to write.
    public typealias File = (name: String, bytes: [UInt8])

    /// What is kept of the output of a failed test, at each end.
    private static let outputEnd = 16 << 10

    /// One file for every suite of a module, `TEST-<Module>.<Suite>.xml`; none for a run without tests.
    public static func files(_ run: TestRun) -> [File] {
        var names: Set<String> = []
        var files: [File] = []
        var rest = run.tests.sorted { $0.id < $1.id }[...]
        while let first = rest.first {
            let suite = rest.prefix { isSameSuite($0.id, first.id) }
            rest = rest.dropFirst(suite.count)
            let name = fileName(first.id, taken: &names)
            files.append((name, Array(document(suite, startedAt: Timestamp.utc(run.startedAt)).utf8)))
        }
        return files
    }

    private static func isSameSuite(_ one: TestID, _ other: TestID) -> Bool {
        one.module.utf8.elementsEqual(other.module.utf8) && one.suite.utf8.elementsEqual(other.suite.utf8)
    }

    /// `<Module>.<Suite/Nested>` with exactly one dot.
    static func className(_ id: TestID) -> String {
        func undotted(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "." ? "\u{2024}" : $0 }))
        }
        return "\(undotted(id.module)).\(id.suite.isEmpty ? "(free functions)" : undotted(id.suite))"
    }

    private static func document(_ tests: ArraySlice<TestResult>, startedAt: String) -> String {
        guard let first = tests.first else { return "" }
        let failures = tests.count { $0.outcome == .failed }
        let errors = tests.count { isError($0.outcome) }
        let skipped = tests.count { $0.outcome == .skipped }
        let time = tests.compactMap(\.duration).reduce(.zero, +)
        let name = XMLText.attribute(className(first.id))
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuite name="\#(name)" tests="\#(tests.count)" failures="\#(failures)" errors="\#(errors)""#
                + #" skipped="\#(skipped)" time="\#(Seconds.text(time))" timestamp="\#(startedAt)">"#,
        ]
        for test in tests { lines += element(test) }
        lines.append("</testsuite>\n")
        return lines.joined(separator: "\n")
    }

    /// A test that never ran is an error too: skipped tests look harmless, and this one is not.
    private static func isError(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .crashed, .timedOut, .notRun: true
        case .passed, .failed, .skipped, .knownIssue: false
        }
    }

    private static func element(_ test: TestResult) -> [String] {
        let name = test.id.discriminator.isEmpty ? test.id.name : "\(test.id.name) (\(test.id.discriminator))"
        let start =
            #"  <testcase classname="\#(XMLText.attribute(className(test.id)))" name="\#(XMLText.attribute(name))""#
            + #" time="\#(Seconds.text(test.duration ?? .zero))""#
        switch test.outcome {
        case .passed, .knownIssue: return [start + "/>"]
        case .skipped:
            return [
                start + ">", #"    <skipped message="\#(XMLText.attribute(test.skipReason ?? ""))"/>"#, "  </testcase>",
            ]
        case .failed, .crashed, .timedOut, .notRun:
            let tag = isError(test.outcome) ? "error" : "failure"
            let message = test.firstFailure?.message ?? test.silentFailure ?? ""
            var lines = [
                start + ">",
                #"    <\#(tag) message="\#(XMLText.attribute(message))" type="\#(test.outcome.rawValue)">"#
                    + XMLText.content(details(test)) + "</\(tag)>",
            ]
            if let output = test.attempts.last?.output {
                lines.append("    <system-out>\(XMLText.content(shortened(output)))</system-out>")
            }
            return lines + ["  </testcase>"]
        }
    }

    /// Every issue with its place in front.
    private static func details(_ test: TestResult) -> String {
        let issues = test.issues.filter(\.isFailure).map { issue in
            let place = issue.location.map { "\($0.description): " } ?? ""
            return place + issue.message + (issue.argument.map { "\nArgument: \($0)" } ?? "")
        }
        let silent = test.silentFailure.map { words in test.location.map { "\($0.description): \(words)" } ?? words }
        return (issues + (silent.map { [$0] } ?? [])).joined(separator: "\n\n")
    }

    private static func shortened(_ output: String) -> String {
        let bytes = output.utf8
        let hidden = bytes.count - 2 * outputEnd
        guard hidden > 0 else { return output }
        let head = String(decoding: bytes.prefix(outputEnd), as: UTF8.self)
        return
            "\(head)\n… \(Figures.grouped(hidden)) bytes …\n\(String(decoding: bytes.suffix(outputEnd), as: UTF8.self))"
    }

    /// A name that every file system takes: letters, digits, `_`, `-` and one dot, at most 200 bytes, told apart by a
    /// number where two suites would share it on a disk that ignores case.
    private static func fileName(_ id: TestID, taken: inout Set<String>) -> String {
        func plain(_ text: String) -> String {
            var result = ""
            for scalar in text.unicodeScalars {
                let isPlain =
                    scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
                    || scalar.properties.generalCategory == .nonspacingMark
                    || scalar.properties.generalCategory == .decimalNumber
                guard result.utf8.count < 90 else { break }
                result.unicodeScalars.append(isPlain ? scalar : "-")
            }
            return result
        }
        let base = "TEST-\(plain(id.module)).\(id.suite.isEmpty ? "free-functions" : plain(id.suite))"
        var name = base
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(base)-\(number)"
            number += 1
        }
        return name + ".xml"
    }
}
