import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// What contains a text in its name, in what readers call it or in its tags, compared in normalization form C and without
    /// regard to case.
    func findings(_ text: String) async throws -> SearchFindings {
        var findings = SearchFindings()
        let wanted = text.searchForm
        guard !wanted.isEmpty else { return findings }
        findings.runs = try find(text.lowercased(), SheetPage.mostFound)
        for project in try projects() {
            for test in try store.tests(project: project.name) where test.searchForms.contains(where: wanted.isIn) {
                guard findings.tests.count < SheetPage.mostFound else {
                    findings.isCut = true
                    break
                }
                findings.tests.append(.init(project: project.name, thing: test))
            }
            guard let files = try store.files(project: project.name) else { continue }
            for path in files.paths where path.searchForm.contains(wanted) {
                guard findings.files.count < SheetPage.mostFound else {
                    findings.isCut = true
                    break
                }
                findings.files.append(.init(project: project.name, thing: .init(path: path, run: files.run)))
            }
        }
        return findings
    }
}

extension DashboardResponder {
    /// What the beginning of a commit's hash may mean, for a reader or a program.
    func choices(_ start: String, _ candidates: [RunSummary], _ request: HTTPRequest) -> Answer {
        let status = HTTPResponse.Status.multipleChoices
        guard Address.isOfData(request.path ?? "") else {
            let page = SheetPage.choices(start, candidates, now: now(), links: links)
            return Answer.refusal(embedded.bytes(of: page), status)
        }
        let response = ChoicesResponse(status: status.code, candidates: candidates.map { RunResponse($0) })
        var answer = Answer.refusal(Array((try? Self.encode(response))?.utf8 ?? "".utf8), status)
        answer.contentType = "application/json; charset=utf-8"
        return answer
    }
}

/// Several things that a name in an address may mean.
private struct ChoicesResponse: Encodable {
    struct Choice: Encodable {
        let status: Int
        let candidates: [RunResponse]
    }

    let error: Choice

    init(status: Int, candidates: [RunResponse]) { error = Choice(status: status, candidates: candidates) }
}

extension String {
    /// The form in which names are compared when a person looks for them.
    fileprivate var searchForm: String { precomposedStringWithCanonicalMapping.lowercased() }

    fileprivate func isIn(_ other: String) -> Bool { other.contains(self) }
}

extension NamedTest {
    fileprivate var searchForms: [String] {
        ([id.description] + (title.map { [$0] } ?? []) + tags).map(\.searchForm)
    }
}
