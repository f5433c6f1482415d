public import RunModel

/// Tests of a run that failed for one reason.
public struct FailureGroup: Sendable, Hashable {
    /// What they have in common, in a line; untrusted text.
    public var reason: String
    /// The tests, at least two, in the order of the run.
    public var tests: [TestID]

    package init(reason: String, tests: [TestID]) { (self.reason, self.tests) = (reason, tests) }

    /// How many groups are listed at most, the largest first.
    public static let most = 20
    /// How many bytes of what tests have in common are shown.
    private static let longest = 300

    /// What a failure may have in common with others.
    private struct Common {
        /// What is the same in all of them.
        var kind: String
        /// All that is said of this one.
        var words: String
    }

    /// The groups of a run: tests that crashed in the same function of the package, that failed at the same place outside of themselves
    /// with the same words, or that threw errors of one kind.
    public static func all(in run: TestRun) -> [FailureGroup] {
        let failures = run.failures.prefix(FailureOrigin.most)
        guard failures.count > 1 else { return [] }
        let files = TestFiles(run)
        var order: [Name] = []
        var groups: [Name: FailureGroup] = [:]
        for test in failures {
            guard let shared = common(of: test, in: files.file(of: test)) else { continue }
            let kind = Name(shared.kind)
            if let reason = groups[kind]?.reason {
                // What they do not share is no reason of all.
                if Name(reason) != Name(shared.words) { groups[kind]?.reason = shared.kind }
                groups[kind]?.tests.append(test.id)
            } else {
                order.append(kind)
                groups[kind] = FailureGroup(reason: shared.words, tests: [test.id])
            }
        }
        let found = order.compactMap { groups[$0] }.filter { $0.tests.count > 1 }
        return Array(
            found.enumerated().sorted { ($1.element.tests.count, $0.offset) < ($0.element.tests.count, $1.offset) }
                .map(\.element).prefix(most))
    }

    /// What a failure may have in common with others; `nil` where it is the test's own.
    private static func common(of test: TestResult, in file: String?) -> Common? {
        guard let issue = test.firstFailure else { return nil }
        let message = String(decoding: issue.message.utf8.prefix(FailureSample.longestMessage), as: UTF8.self)
        let lines = FailureMatch.text(message).split(separator: "\n")
        guard let first = lines.first.map(String.init) else { return nil }
        let isOwn = { (path: String) in file.map { Name($0) == Name(path) } ?? true }
        if test.outcome == .crashed {
            guard let frame = lines.dropFirst().first(where: { $0.hasPrefix("  in ") }),
                let path = frame.split(separator: " ").last.map(String.init), !isOwn(path)
            else { return nil }
            return whole("\(first) \(frame.drop { $0 == " " })")
        }
        guard test.outcome == .failed else { return nil }
        if let error = thrown(in: first) { return error }
        guard let place = issue.location, !isOwn(place.path) else { return nil }
        return whole("\(first) at \(place)")
    }

    /// What has to be the same as a whole.
    private static func whole(_ text: String) -> Common { Common(kind: cut(text), words: cut(text)) }

    /// An error that was thrown and not caught: its type, and all of it.
    private static func thrown(in line: String) -> Common? {
        for words in ["Caught error: ", "caught error: ", "threw error "] {
            if let range = line.firstRange(of: words), range.upperBound < line.endIndex {
                let kind = words + errorType(of: line[range.upperBound...])
                return Common(kind: cut(kind), words: cut(String(line[range.lowerBound...])))
            }
        }
        return nil
    }

    /// What errors of one type, or one case, begin with: `notFound` of `notFound("a")` and of `"notFound: a"`, and the domain and the code of
    /// an `NSError`. All of it where it says neither.
    private static func errorType(of error: Substring) -> String {
        // XCTest puts it in quotes.
        let text = error.drop { $0 == "\"" }
        if text.hasPrefix("Error Domain=") { return text.split(separator: " ").prefix(3).joined(separator: " ") }
        var before: Character?
        for index in text.indices {
            let character = text[index]
            let after = text.index(after: index)
            let isCall = character == "(" && (before?.isLetter == true || before?.isNumber == true || before == "_")
            let isTitle = character == ":" && before != nil && (after == text.endIndex || text[after] == " ")
            if isCall || isTitle { return String(text[..<index]) }
            before = character
        }
        return String(error)
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= longest ? text : String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
    }
}
