import Foundation
import Pages
import RunModel
import TestSupport
import Testing

/// The pages that need no server: whatever they are about, they lead to each other and to nothing else.
@Suite struct StaticReportTests {
    /// The files of the report of a run, by name.
    private func files(_ run: TestRun) throws -> [String: String] {
        var files: [String: String] = [:]
        let report = StaticReport(
            run: run, verdict: SampleVerdicts.of(run),
            history: [SamplePages.entry(run), SamplePages.entry(SampleRuns.passing())])
        try report.write(with: PageRenderer(), text: { _ in SamplePages.testSource }) { name, bytes in
            #expect(
                files.updateValue(String(decoding: bytes, as: UTF8.self), forKey: name) == nil, "\(name) comes twice")
        }
        return files
    }

    /// The name of the file that a link in `file` leads to, and the place in it.
    private func resolve(_ link: String, from file: String) -> (file: String, fragment: String) {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let fragment = parts.count == 2 ? parts[1] : ""
        if parts[0].isEmpty { return (file, fragment) }
        var steps = file.split(separator: "/").dropLast().map(String.init)
        for step in parts[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
            if step == ".." { _ = steps.popLast() } else { steps.append(step) }
        }
        return (steps.joined(separator: "/"), fragment)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: TestRun
    }

    static let samples = [
        Sample(testDescription: "passing", run: SampleRuns.passing()),
        Sample(testDescription: "failing", run: SampleRuns.failing()),
        Sample(testDescription: "undecided", run: SampleRuns.undecided()),
        Sample(testDescription: "unbuilt", run: SamplePages.unbuilt),
        Sample(testDescription: "crowded", run: SamplePages.crowded),
        Sample(testDescription: "hostile", run: HostileRun.run(SampleRuns.hostile)),
        Sample(testDescription: "climbing", run: HostileRun.run("../../../../etc/passwd")),
        Sample(testDescription: "dots", run: HostileRun.run("..")),
    ]

    @Test(arguments: samples)
    func `every link leads to a page or anchor of the report`(sample: Sample) throws {
        let files = try files(sample.run)
        let pages = try files.filter { $0.key.hasSuffix(".html") }.mapValues { try MarkupScanner($0) }
        for (name, page) in pages {
            for (_, attribute, value) in page.values where attribute == "href" || attribute == "src" {
                let target = resolve(value, from: name)
                #expect(files[target.file] != nil, "\(name) leads to \(value), which is not there")
                guard !target.fragment.isEmpty else { continue }
                let isThere = pages[target.file]?.values.contains {
                    $0.attribute == "id" && $0.value == target.fragment
                }
                // The text of a file may have fewer lines than its coverage, and a hostile one has.
                #expect(
                    isThere == true || target.fragment.hasPrefix("L"), "\(name) leads to \(value), where nothing is")
            }
        }
    }

    @Test(arguments: samples)
    func `nothing in it is blocked by the policy that Jenkins sends`(sample: Sample) throws {
        for (name, text) in try files(sample.run) where name.hasSuffix(".html") {
            let page = try MarkupScanner(text)
            #expect(
                page.tags.filter { ["script", "style", "iframe", "form", "object", "base"].contains($0.name) } == [])
            let attributes = Set(page.tags.flatMap(\.attributes))
            #expect(attributes.filter { $0.hasPrefix("on") || $0 == "style" || $0 == "target" } == [])
        }
    }

    @Test(arguments: samples)
    func `names of files are plain and no two are one on a disk that ignores case`(sample: Sample) throws {
        let names = try files(sample.run).keys
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".unicodeScalars)
        for name in names {
            let steps = name.split(separator: "/", omittingEmptySubsequences: false)
            #expect(steps.count <= 2 && steps.allSatisfy { $0.unicodeScalars.allSatisfy(plain.contains) }, "\(name)")
            #expect(name.utf8.count < 200)
        }
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    @Test func `the report of a run has a page for each target, each file, and its history`() throws {
        #expect(
            try files(SampleRuns.failing()).keys.sorted() == [
                "history.html", "index.html", "kanmon.css", "kanmon.svg", "sources/Sources-Core-Core.swift.html",
                "sources/Sources-Core-URLRule.swift.html", "sources/Sources-tool-main.swift.html",
                "sources/Tests-CoreTests-CoreTests.swift.html", "tests/CoreTests.html",
            ])
    }
}
