import Gate
import RunModel
import Testing

@testable import SettingsFile

@Suite struct CoverageRuleTests {
    private func policy(_ coverage: String) throws -> Policy {
        try Settings.read(text: "coverage:\n  \(coverage)\n", file: "f").policy
    }

    @Test func `a rule is a percentage or a mapping`() throws {
        let ninety = try #require(Percentage("90"))
        #expect(try policy("patch: 90").patch == PatchRule(line: ninety, minimumLines: 5))
        #expect(try policy("patch: { min-lines: 20, line: 90 }").patch == PatchRule(line: ninety, minimumLines: 20))
        #expect(try policy("project: 90").project == ProjectRule(line: ninety))
        #expect(try policy("project: { may-drop: 0.5 }").project == ProjectRule(mayDrop: Percentage("0.5")))
        #expect(try policy("files: 90").fileFloor == ninety)
        #expect(try policy("files: { line: 90 }").fileFloor == ninety)
    }

    @Test func `without a rule nothing is judged by it`() throws {
        #expect(try policy("{}") == Policy())
        #expect(try policy("project: {}") == Policy())
        #expect(Settings().policy == Policy())
    }

    @Test(arguments: [
        ("patch: { min-lines: 5 }", "f:2:10: coverage.patch: sets no floor"),
        ("patch: { line: 90, min-lines: 0 }", "f:2:33: coverage.patch.min-lines: 0 is not from 1 to 1000000"),
        ("patch: 101", "f:2:10: coverage.patch: '101' is not a percentage"),
        ("files: {}", "f:2:10: coverage.files: sets no floor"),
        ("project: { may-drop: 0.5% }", "f:2:24: coverage.project.may-drop: '0.5%' is not a percentage"),
    ])
    func `an impossible value is refused with its location`(text: String, message: String) {
        #expect {
            try policy(text)
        } throws: {
            "\($0)" == message
        }
    }
}
