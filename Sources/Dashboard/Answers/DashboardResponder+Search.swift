import Foundation
import Gate
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
