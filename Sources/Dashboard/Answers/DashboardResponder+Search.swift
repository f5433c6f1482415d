import Exports
import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// How many of the newest runs of a project are searched for text: branches, authors, subjects, failures.
    private static let mostRuns = 1_000

    /// The longest text that is looked for, in bytes.
    private static let longestText = 200

    /// What contains a text in its name, in what readers call it or in its tags, in what people wrote of the newest runs, or in what
    /// tests said there; compared in normalization form C and without regard to case.
    ///
    /// - Parameter bytes: How much text is looked at.
    func findings(_ text: String, bytes: Int = SearchBudget.all) async throws -> SearchFindings {
        var findings = SearchFindings()
        let wanted = text.searchForm
        guard !wanted.isEmpty else { return findings }
        guard text.utf8.count <= Self.longestText else {
            throw Refusal.malformed("the text that is looked for has more than \(Self.longestText) bytes")
        }
        findings.runs = try find(text.lowercased(), SheetPage.mostFound)
        let projects = try projectNames()
        var budget = SearchBudget(projects: projects.count, bytes: bytes)
        for project in projects {
            budget.begin()
            try findWords(wanted, project, &budget, &findings)
            try findTests(wanted, project, &budget, &findings)
            try findFiles(wanted, project, &budget, &findings)
            if budget.isSpent { findings.isCut = true }
        }
        return findings
    }

    private func findFiles(
        _ wanted: String, _ project: String, _ budget: inout SearchBudget, _ findings: inout SearchFindings
    ) throws {
        guard !budget.isSpent, let files = try store.files(project: project, most: budget.most) else { return }
        for path in files.paths {
            guard budget.take(path) else { return }
            guard wanted.isIn(path.searchForm) else { continue }
            guard findings.add(.init(path: path, run: files.run), of: project, to: \.files) else { return }
        }
    }

    /// Branches and authors, and runs by the subject of their commit.
    private func findWords(
        _ wanted: String, _ project: String, _ budget: inout SearchBudget, _ findings: inout SearchFindings
    ) throws {
        var seen: Set<String> = []
        // Looked up afterwards: nothing is asked of the store while it reads.
        var told: [RunSearchText] = []
        try store.forEachWords(project: project, runs: Self.mostRuns) { words in
            for (kind, word, list) in [
                ("branch", words.branch, \SearchFindings.branches), ("author", words.author, \.authors),
            ] {
                guard let word, seen.insert("\(kind) \(word)").inserted, wanted.isIn(word.searchForm) else {
                    continue
                }
                findings.add(word, of: project, to: list)
            }
            if let subject = words.subject, wanted.isIn(subject.searchForm),
                !findings.runs.contains(where: { $0.id == words.run && $0.judgedCommit == words.commit })
            {
                if findings.runs.count + told.count < SheetPage.mostFound {
                    told.append(words)
                } else {
                    findings.isCut = true
                }
            }
            return budget.take(words.branch, words.author, words.subject)
        }
        for words in told {
            if let run = try summary(of: words, in: project) { findings.runs.append(run) }
        }
    }

    /// The run that words are of, as it is told of their commit.
    private func summary(of words: RunSearchText, in project: String) throws -> RunSummary? {
        guard let commit = words.commit else { return try store.summary(of: words.run) }
        return try store.verdicts(on: commit, in: .named([project]), limit: Self.mostVerdicts)
            .first { $0.id == words.run && $0.isOfKnownTree }
    }

    /// Tests, the targets that have them, and what they said when they failed.
    private func findTests(
        _ wanted: String, _ project: String, _ budget: inout SearchBudget, _ findings: inout SearchFindings
    ) throws {
        let summary = try store.wholeRuns(project: project, branch: nil, limit: 1).first
        // All of the latest run are read before the first is looked at.
        guard summary.map({ $0.outcomes.total <= budget.most }) ?? !budget.isSpent else { return budget.spend() }
        let latest = summary?.id
        var targets: Set<String> = []
        try store.forEachTest(project: project) { test in
            guard budget.take(test.id.suite, test.id.name, test.title) else { return false }
            if let latest, targets.insert(test.id.module).inserted, wanted.isIn(test.id.module.searchForm) {
                findings.add(.init(name: test.id.module, run: latest), of: project, to: \.targets)
            }
            return !test.searchForms.contains(where: wanted.isIn) || findings.add(test, of: project, to: \.tests)
        }
        let messages = try store.failureMessages(
            project: project, runs: Self.mostRuns, failures: budget.mostLong,
            limit: SheetPage.mostFound - findings.messages.count + 1
        ) { budget.take($0) && wanted.isIn($0.searchForm) }
        let names = try store.names(of: messages.map(\.test), project: project)
        for found in messages {
            findings.add(
                .init(
                    test: names[found.test] ?? NamedTest(found.test, displayName: nil, suiteDisplayName: nil),
                    text: found.message, run: found.run),
                of: project, to: \.messages)
        }
    }
}

extension DashboardResponder {
    /// What the beginning of a commit's hash may mean, for a reader or a program.
    func choices(_ start: String, _ candidates: [RunSummary], _ request: HTTPRequest) -> Answer {
        let status = HTTPResponse.Status.multipleChoices
        guard Address.isOfData(request.path ?? "") else {
            let page = SheetPage.choices(start, candidates, links: links)
            return Answer.refusal(embedded.bytes(of: page), status)
        }
        let response = ChoicesResponse(status: status.code, candidates: candidates.map { RunForm($0) })
        var answer = Answer.refusal(Array((try? Self.encode(response))?.utf8 ?? "".utf8), status)
        answer.contentType = "application/json; charset=utf-8"
        return answer
    }
}

/// Several things that a name in an address may mean.
private struct ChoicesResponse: Encodable {
    struct Choice: Encodable {
        let status: Int
        let candidates: [RunForm]
    }

    let error: Choice

    init(status: Int, candidates: [RunForm]) { error = Choice(status: status, candidates: candidates) }
}

extension String {
    /// The form in which names are compared when a person looks for them.
    var searchForm: String {
        // Most names are ASCII, which is in that form already; the general way takes many times as long.
        utf8.allSatisfy { $0 < 0x80 } ? lowercased() : precomposedStringWithCanonicalMapping.lowercased()
    }

    /// A longer text is searched in a way that takes no longer for a hostile text than for any other.
    private static let shortText = 256

    /// Whether another text contains it. By bytes: a character may be a letter with a thousand accents.
    ///
    /// Thousands of names are looked at for a page, and to prepare a search takes longer than to compare one.
    func isIn(_ other: String) -> Bool {
        guard other.utf8.count <= Self.shortText else { return other.utf8.contains(utf8) }
        var (wanted, text) = (self, other)
        return wanted.withUTF8 { wanted in
            text.withUTF8 { text in
                guard let first = wanted.first else { return true }
                guard wanted.count <= text.count else { return false }
                return (0...(text.count - wanted.count)).contains { start in
                    text[start] == first && text[start..<(start + wanted.count)].elementsEqual(wanted)
                }
            }
        }
    }
}

extension NamedTest {
    fileprivate var searchForms: [String] {
        ([id.description] + (title.map { [$0] } ?? []) + tags).map(\.searchForm)
    }
}
