import Foundation
import Gate
import RunModel
import Testing

@testable import kanmon

/// What a package is held against, asked of a real repository.
@Suite struct BaselineTests {
    @Test func `settings of the base that are not UTF-8 are unreadable, not repaired`() async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try folder.write("// swift-tools-version: 6.0\n", to: "work/Package.swift")
        let settings = "version: 1\ncoverage:\n  modules:\n    default: { line: 10 }\n"
        try (Data(settings.utf8) + [0x23, 0x20, 0xFF, 0x0A]).write(to: URL(filePath: "\(folder.work)/.kanmon.yml"))
        try await folder.git("add", ".")
        try await folder.git("commit", "--quiet", "--message", "base")
        try await folder.git("switch", "--quiet", "--create", "topic")
        try folder.write(settings, to: "work/.kanmon.yml")
        try await folder.git("commit", "--quiet", "--all", "--message", "head")

        let revision = Revision(
            commit: try await folder.git("rev-parse", "HEAD"), tree: try await folder.git("rev-parse", "HEAD^{tree}"),
            branch: "topic", subject: "head", isDirty: false)
        let surroundings = folder.surroundings
        let checkpoint = Checkpoint(
            surroundings: surroundings, home: Home(folder.home, surroundings: surroundings))
        let context = try await PackageContext.load(folder.work, surroundings: surroundings)
        let finding = try #require(try await context.baseline(revision, named: nil, checkpoint: checkpoint))

        #expect(
            finding.notes == [
                Note(
                    .baseUnreadable, subject: ".kanmon.yml",
                    detail: ".kanmon.yml is not UTF-8; the defaults stand for it")
            ])
        #expect(finding.baseline.bar?.policy.defaultFloors == Policy().defaultFloors)
        #expect(finding.baseline.head.policy.defaultFloors.line == Percentage(thousandths: 10_000))
    }
}
