public import Gate
public import RunModel
import Wording

/// A run as JUnit XML, in the dialect that Jenkins reads without losing anything.
///
/// Jenkins takes the package of a test from what stands before the last dot of `classname`, so there is exactly one dot;
/// nested suites are joined by `$` as Java joins nested classes, since the JUnit reader of Jenkins' Coverage plug-in turns a
/// slash into a dot and then refuses the second test of the class. Jenkins shows only the first failure of a test, so there is one with all issues in it; and it reads neither `file` nor
/// `line`, so the place leads the text. Earlier attempts are `flakyFailure` in a test that passed in the end and
/// `rerunFailure` in one that did not. A failure that does not block, in quarantine or let through as on the base, is a
/// `flakyFailure` too: Jenkins shows it and stays green, as the verdict does. The shape also satisfies the stricter schema of its xUnit plug-in, which
/// lets a suite have properties and a test none: names for readers are properties of the suite, `display-name` that of the
/// suite itself and `display-name of counts()` that of a test; `origin of counts()` says whether the base has the failure too,
/// and `cause of counts()` why it fails, where somebody looked.
public enum JUnitReport {
    /// A file to write.
    public typealias File = (name: String, bytes: [UInt8])

    /// Which elements and attributes a reader accepts.
    public enum Dialect: Sendable, Hashable, CaseIterable {
        /// Only what the schema of Jenkins' xUnit plug-in allows.
        case strict
        /// Also `file` and `line` of every test whose place is known, as GitLab and others read them.
        case withPlaces
    }

    /// How large a file may become: Jenkins reads each as a whole into memory.
    static let fileLimit = 4 << 20

    /// At least one file for every suite of a module, `TEST-<Module>.<Suite>.xml`; none for a passed run without tests.
    ///
    /// Everything besides tests that keeps the run from passing is in the suite `Kanmon.Gate`: an error for each gap, a failure for
    /// each other violation. A reader of nothing but these files must not see green where the verdict is not.
    ///
    /// A suite that would be larger than 4 MiB is split into several files that name the same suite.
    ///
    /// - Parameters:
    ///   - verdict: Says which failures do not block; `nil` for a run that nobody judged.
    ///   - attached: Where a file lies that a test attached, as an absolute path; `nil` where Jenkins would not find it.
    ///   - eachArgument: Whether a parameterized test is a test case for each argument, where it is known how each ended.
    public static func files(
        _ run: TestRun, _ verdict: Verdict?, dialect: Dialect = .strict, eachArgument: Bool = false,
        attached: (TestAttachment) -> String? = { _ in nil }
    ) -> [File] {
        var names = JUnitFileNames()
        var files: [File] = []
        let startedAt = Timestamp.utc(run.startedAt)
        let explanation = verdict.map { FailureExplanation($0) }
        let owners = verdict.map { RunOwners(run, $0) }
        var rest = run.tests.sorted { $0.id < $1.id }[...]
        func add(_ id: TestID, _ elements: [Element]) {
            for part in parts(elements) {
                files.append((names.next(id), Array(document(part, startedAt: startedAt, run.selection).utf8)))
            }
        }
        while let first = rest.first {
            let suite = rest.prefix { isSameSuite($0.id, first.id) }
            rest = rest.dropFirst(suite.count)
            add(
                first.id,
                suite.flatMap { test in
                    let excuse = verdict?.excuse(for: test)
                    return (eachArgument ? test.ofEachArgument : [test]).map { test in
                        let own = test.outcome.isFailure ? excuse : nil
                        return Element(
                            test,
                            element(test, excuse: own, dialect, attached: test.attachments.compactMap(attached)),
                            properties(
                                of: test, explanation, test.isInDoubt ? owners?.owner(of: test) : nil),
                            isExcused: own != nil)
                    }
                })
        }
        // Nothing excuses these, whatever test it names.
        let obstacles = verdict?.obstacles(of: run) ?? []
        if let first = obstacles.first {
            add(
                first.id,
                obstacles.map { Element($0, element($0, excuse: nil, dialect, attached: []), [], isExcused: false) }
            )
        }
        return files
    }

    private typealias Element = (test: TestResult, text: String, properties: [String], isExcused: Bool)

    private static func parts(_ elements: [Element]) -> [ArraySlice<Element>] {
        var parts: [ArraySlice<Element>] = []
        var start = 0
        var size = 0
        for (index, element) in elements.enumerated() {
            let own = element.text.utf8.count + element.properties.reduce(0) { $0 + $1.utf8.count }
            if index > start, size + own > fileLimit {
                parts.append(elements[start..<index])
                (start, size) = (index, 0)
            }
            size += own
        }
        return parts + [elements[start...]]
    }

    private static func isSameSuite(_ one: TestID, _ other: TestID) -> Bool {
        Name(one.module) == Name(other.module) && Name(one.suite) == Name(other.suite)
    }

    /// `<Module>.<Suite$Nested>` with exactly one dot and no slash.
    static func className(_ id: TestID) -> String {
        func plain(_ text: String) -> String {
            let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
                switch scalar {
                case ".": "\u{2024}"
                case "/": "$"
                default: scalar
                }
            }
            return String(String.UnicodeScalarView(scalars))
        }
        return "\(plain(id.module)).\(id.suite.isEmpty ? "(free functions)" : plain(id.suite))"
    }

    /// What is worth knowing of a suite: which test targets have none, because they are switched off, and what it and its
    /// tests are called for readers.
    private static func properties(_ elements: ArraySlice<Element>, _ selection: Selection) -> [String] {
        let switchedOff = selection.disabledTargets.joined(separator: ", ")
        let properties =
            (switchedOff.isEmpty ? [] : [property("switched-off", switchedOff)])
            + (elements.first?.test.named.suiteDisplayName.map { [property("display-name", $0)] } ?? [])
            + elements.flatMap(\.properties)
        return properties.isEmpty ? [] : ["  <properties>"] + properties + ["  </properties>"]
    }

    /// In the form that Jenkins reads, a test case has no properties, so the name of the property contains that of the test.
    private static func properties(
        of test: TestResult, _ explanation: FailureExplanation?, _ owner: TestOwner?
    ) -> [String] {
        let name = name(of: test.id)
        let origin = explanation?.origin(of: test.id)
        let cause = explanation?.cause(of: test.id).flatMap { _ in explanation?.sentence(on: test.id) }
        return (test.named.displayName.map { [property("display-name of \(name)", $0)] } ?? [])
            + test.tags.map { property("tag of \(name)", $0) }
            + (origin.map { [property("origin of \(name)", $0.sentence)] } ?? [])
            + (cause.map { [property("cause of \(name)", $0)] } ?? [])
            + (owner.map { [property("owner of \(name)", $0.names.joined(separator: ", "))] } ?? [])
    }

    private static func property(_ name: String, _ value: String) -> String {
        #"    <property name="\#(XMLText.attribute(name))" value="\#(XMLText.attribute(value))"/>"#
    }

    private static func document(_ elements: ArraySlice<Element>, startedAt: String, _ selection: Selection) -> String {
        guard let first = elements.first else { return "" }
        let outcomes = OutcomeTally(elements.lazy.filter { !$0.isExcused }.map(\.test))
        let errors = Outcome.allCases.reduce(0) { $0 + ($1.isError ? outcomes[$1] : 0) }
        let time = elements.compactMap(\.test.duration).reduce(.zero, +)
        let name = XMLText.attribute(className(first.test.id))
        let lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuite name="\#(name)" tests="\#(elements.count)" failures="\#(outcomes[.failed])""#
                + #" errors="\#(errors)" skipped="\#(outcomes[.skipped])" time="\#(Seconds.text(time))""#
                + #" timestamp="\#(startedAt)">"#,
        ]
        return (lines + properties(elements, selection) + elements.map(\.text) + ["</testsuite>\n"]).joined(
            separator: "\n")
    }
}

extension Verdict {
    /// Why a failed test does not block, for formats that know only passed and failed; `nil` if it blocks. Untrusted
    /// text.
    ///
    /// An entry of the quarantine that is itself a violation excuses nothing here: a reader who sees only tests has to
    /// see a failure.
    func excuse(for test: TestResult) -> String? {
        guard test.outcome.isFailure, let status = quarantine(of: test.id) else { return allowance(of: test) }
        return status.fault == nil ? status.entry.words : nil
    }
}
