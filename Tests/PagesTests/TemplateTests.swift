import Foundation
import Gate
import RunModel
import TestSupport
import Testing
import Web

@testable import Pages

/// Rules for the templates that Mustache itself does not hold anyone to.
@Suite struct TemplateTests {
    static let templates = WebFile.allCases.filter { $0.templateName != nil }

    /// Everything between `{{` and `}}`, in order.
    static func tags(_ text: String) -> [String] {
        text.components(separatedBy: "{{").dropFirst().map { $0.components(separatedBy: "}}")[0] }
    }

    static func offences(_ text: String) -> [String] {
        let names = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.")
        return tags(text).filter { tag in
            switch tag.first {
            // Partials and blocks are names of templates.
            case ">", "<", "$": !tag.dropFirst().allSatisfy(names.contains)
            // `{{/content}}` closes a block, `{{/.x}}` a section; the parser sees to it that they match.
            case "/": !tag.dropFirst().allSatisfy(names.contains)
            case "#", "^": !(tag.dropFirst().first == "." && tag.dropFirst().allSatisfy(names.contains))
            case ".": !tag.allSatisfy(names.contains)
            default: true
            }
        }
    }

    @Test(arguments: templates)
    func `a template escapes every value and never looks past the innermost one`(file: WebFile) {
        #expect(Self.offences(String(decoding: file.embedded, as: UTF8.self)) == [])
    }

    @Test func `the rule notices what it forbids`() {
        #expect(Self.offences("{{{.x}}}{{&.x}}{{x}}{{#x}}{{/x}}{{% CONTENT_TYPE: TEXT}}{{=<% %>=}}{{! c}}").count == 7)
        #expect(Self.offences("{{.x}}{{#.x}}{{.}}{{/.x}}{{>bar}}{{<layout}}{{$content}}{{/content}}{{/layout}}") == [])
    }

    @Test(arguments: templates)
    func `a value stands in text or in double quotes`(file: WebFile) {
        let text = String(decoding: file.embedded, as: UTF8.self)
        #expect(!text.contains("={{"), "an attribute without quotes")
        #expect(!text.contains("='"), "an attribute in single quotes")
        // One script, which is no text of a template.
        let scripts = text.replacing("<script src=\"{{.}}\" defer></script>", with: "")
        #expect(!scripts.contains("<script") && !scripts.contains("</script") && !text.contains("style="))
    }

    @Test(arguments: WebFile.allCases)
    func `what is built in is what lies in the folder`(file: WebFile) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web").standardized
        #expect(try WebRoot.folder(folder.path()).bytes(of: file) == file.embedded)
    }

    @Test func `a folder without the files is named`() {
        #expect {
            try PageRenderer(.folder("/nowhere"))
        } throws: { error in
            (error as? PageError)?.description.hasPrefix("read templates/attachment.mustache in /nowhere: ") ?? false
        }
    }
}

@Suite struct TemplateNameTests {
    @Test func `every name in a template is a property of the value it is asked of`() {
        var walk = TemplateWalk()
        for run in [SampleRuns.passing(), SampleRuns.failing(), SampleRuns.undecided(), HostileRun.run("x")] {
            walk.walk(SamplePages.run(run))
        }
        walk.walk(SamplePages.run(SampleRuns.unsteady()))
        walk.walk(SamplePages.run(SamplePages.unbuilt))
        walk.walk(SamplePages.run(SamplePages.crowded))
        walk.walk(SamplePages.changed)
        walk.walk(SamplePages.estimated)
        walk.walk(SamplePages.explained)
        walk.walk(
            RunPage(
                run: SamplePages.detailed, verdict: SamplePages.detailedVerdict, sources: SourceTexts(),
                now: SamplePages.now))
        let source = SourcePage(
            path: "Sources/Core/URLRule.swift", run: SamplePages.detailed, text: SamplePages.coreSource,
            change: SamplePages.detailedVerdict.change)
        if let source { walk.walk(source) }
        walk.walk(SamplePages.runs(hasOlder: true))
        walk.walk(
            SamplePages.runs(
                project: "example/video-kit", filter: RunFilter(branch: "x"), before: SampleRuns.id(9)))
        walk.walk(SamplePages.runs(order: ListOrder(.coverage), before: SampleRuns.id(9), hasOlder: true))
        walk.walk(RunsPage(entries: [], projects: [], project: nil, before: nil, hasOlder: false, now: SamplePages.now))
        var run = SampleRuns.failing()
        run.tests.append(
            TestResult(id: TestID(module: "CoreTests", suite: "", name: "f()"), library: .xctest, outcome: .notRun))
        run.tests.append(
            TestResult(
                id: TestID(module: "CoreTests", suite: "S", name: "f()"), library: .swiftTesting, outcome: .passed,
                suiteDisplayName: "the parser"))
        let attachment = TestAttachment(name: "log.txt", path: "attachments/0", bytes: 3)
        for test in run.tests.indices { run.tests[test].attachments = [attachment] }
        let pages = [
            SamplePages.tests(of: run), SamplePages.tests(of: run, order: ListOrder(.duration)),
            SamplePages.tests(of: run, tag: "t", order: ListOrder(.duration)),
            SamplePages.tests(of: run, links: StaticNames(run).links(from: "../")),
        ]
        for page in pages { if let page { walk.walk(page) } }
        walk.walk(SamplePages.history)
        for page in SampleSheets.walls("x", SamplePages.entry(run)) { walk.walk(page) }
        for page in SamplePages.live("x") { walk.walk(page) }
        if let scattered = SamplePages.scattered { walk.walk(scattered) }
        if let page = SamplePages.torn { walk.walk(page) }
        if let page = TestsPage(target: "CoreTests", run: SamplePages.entry(run), tests: run.tests, most: 1) {
            walk.walk(page)
        }
        let texts = [
            ("Sources/Core/URLRule.swift", SamplePages.coreSource), ("Sources/tool/main.swift", nil),
            ("Tests/CoreTests/CoreTests.swift", SamplePages.testSource),
            ("Long.swift", SourceText(Array(repeating: UInt8(ascii: "\n"), count: SourceText.longest + 1))),
        ]
        for (path, text) in texts {
            if let page = SourcePage(path: path, run: run, text: text, tests: [1: 2, 2: 0]) { walk.walk(page) }
        }
        let entry = SamplePages.entry(run)
        let coverage = SampleSheets.coverage(run, SampleVerdicts.of(run))
        for page in SampleSheets.all("x", entry) + SampleSheets.empty + coverage { walk.walk(page) }
        walk.walk(
            RunPage(
                run: run, verdict: SampleVerdicts.of(run), sources: SourceTexts(), now: SamplePages.now,
                comparison: SampleSheets.comparison("x", entry)))
        walk.walk(SignInPage(to: "/", remark: "a"))
        walk.walk(SignInPage(signedInWith: "a"))
        // In a report without a server no test has a page of its own.
        var unsteady = SampleRuns.unsteady()
        for test in unsteady.tests.indices { unsteady.tests[test].attachments = [attachment] }
        walk.walk(
            RunPage(
                run: unsteady, verdict: SampleVerdicts.of(unsteady), sources: SourceTexts(), now: nil,
                links: StaticNames(unsteady).links(from: "../")))
        walk.walk(ErrorPage(status: 500, title: "a", reason: "b", remedy: "c", incident: "d"))
        #expect(walk.unknown == [])
        #expect(walk.all.subtracting(walk.reached) == [], "no sample page reaches these")
    }
}
