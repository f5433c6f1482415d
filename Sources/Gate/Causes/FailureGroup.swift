public import RunModel

/// Tests of a run that failed for one reason.
public struct FailureGroup: Sendable, Hashable {
    /// What they have in common, in a line; untrusted text.
    public var reason: String
    /// The tests, at least two, in the order of the run.
    public var tests: [TestID]

    /// Makes a group from its parts.
    public init(reason: String, tests: [TestID]) { (self.reason, self.tests) = (reason, tests) }

    /// So many groups are told at most, the largest first.
    public static let most = 20
    /// So many bytes of what tests have in common are shown.
    private static let longest = 300

    /// The groups of a run: tests that crashed in the same function of the package, that failed at the same place outside of themselves
    /// with the same words, or that threw the same error.
    public static func all(in run: TestRun) -> [FailureGroup] {
        let failures = run.failures.prefix(FailureOrigin.most)
        guard failures.count > 1 else { return [] }
        let files = TestFiles(run)
        var order: [Name] = []
        var groups: [Name: [TestID]] = [:]
        for test in failures {
            guard let common = reason(of: test, in: files.file(of: test)).map({ Name($0) }) else { continue }
            if groups[common] == nil { order.append(common) }
            groups[common, default: []].append(test.id)
        }
        let found = order.compactMap { common in
            groups[common].flatMap { $0.count > 1 ? FailureGroup(reason: common.text, tests: $0) : nil }
        }
        return Array(
            found.enumerated().sorted { ($1.element.tests.count, $0.offset) < ($0.element.tests.count, $1.offset) }
                .map(\.element).prefix(most))
    }

    /// What a failure may have in common with others; `nil` where it is the test's own.
    private static func reason(of test: TestResult, in file: String?) -> String? {
        guard let issue = test.firstFailure else { return nil }
        let message = String(decoding: issue.message.utf8.prefix(FailureSample.longestMessage), as: UTF8.self)
        let lines = FailureMatch.text(message).split(separator: "\n")
        guard let first = lines.first.map(String.init) else { return nil }
        let isOwn = { (path: String) in file.map { Name($0) == Name(path) } ?? true }
        if test.outcome == .crashed {
            guard let frame = lines.dropFirst().first(where: { $0.hasPrefix("  in ") }),
                let path = frame.split(separator: " ").last.map(String.init), !isOwn(path)
            else { return nil }
            return cut("\(first) \(frame.drop { $0 == " " })")
        }
        guard test.outcome == .failed else { return nil }
        if let error = thrown(in: first) { return cut(error) }
        guard let place = issue.location, !isOwn(place.path) else { return nil }
        return cut("\(first) at \(place)")
    }

    /// An error that was thrown and not caught, from where its description begins.
    private static func thrown(in line: String) -> String? {
        for words in ["Caught error: ", "caught error: ", "threw error "] {
            if let range = line.firstRange(of: words), range.upperBound < line.endIndex {
                return String(line[range.lowerBound...])
            }
        }
        return nil
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= longest ? text : String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
    }
}
