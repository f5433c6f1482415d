import Foundation
import Gate
import RunModel
import TestSupport
import Testing

@testable import Exports

@Suite struct ReportSchemaTests {
    private typealias Object = [String: Any]

    /// What of a value the schema does not say or does not allow. Only the words that the schema uses are known here,
    /// and a field that it does not list is a fault too.
    private func faults(_ value: Any, _ schema: Object, _ root: Object, at path: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let name = String(reference.split(separator: "/").last ?? "")
            guard let target = (root["$defs"] as? Object)?[name] as? Object else { return ["\(path): no \(reference)"] }
            return faults(value, target, root, at: path)
        }
        if let constant = schema["const"] as? Int {
            return value as? Int == constant ? [] : ["\(path): not \(constant)"]
        }
        switch schema["type"] as? String {
        case "object":
            guard let object = value as? Object, let properties = schema["properties"] as? Object else {
                return ["\(path): not an object"]
            }
            let required = schema["required"] as? [String] ?? []
            let missing = required.filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
            return missing
                + object.flatMap { key, member in
                    guard let property = properties[key] as? Object else { return ["\(path).\(key) is not listed"] }
                    return faults(member, property, root, at: "\(path).\(key)")
                }
        case "array":
            guard let list = value as? [Any], let items = schema["items"] as? Object else {
                return ["\(path): no list"]
            }
            return list.enumerated().flatMap { faults($1, items, root, at: "\(path)[\($0)]") }
        case "string":
            guard let text = value as? String else { return ["\(path): no text"] }
            let allowed = schema["enum"] as? [String]
            return allowed?.contains(text) == false ? ["\(path): \(text) is not allowed"] : []
        case "integer": return value is Int ? [] : ["\(path): no integer"]
        case "boolean": return value is Bool ? [] : ["\(path): not true or false"]
        default: return ["\(path): unknown schema"]
        }
    }

    private func expectDescribed(_ run: TestRun, _ verdict: Verdict, most: Int = .max) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/report.schema.json")
        let schema = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: root)) as? Object)
        let json = try JSONReport.render(run, verdict, most: most)
        let report = try JSONSerialization.jsonObject(with: Data(json.utf8))
        #expect(faults(report, schema, schema, at: "report") == [])
    }

    @Test(arguments: ReportSnapshotTests.samples)
    func `the published schema describes every field`(sample: ReportSnapshotTests.Sample) throws {
        try expectDescribed(sample.run, sample.verdict)
    }

    /// The fields of an object and of those in it, by their names: those in the report itself by the key alone.
    private func properties(of schema: Object, named name: String) -> [String: Set<String>] {
        guard let properties = schema["properties"] as? Object else { return [:] }
        var found = [name: Set(properties.keys)]
        for (key, value) in properties {
            guard let object = value as? Object else { continue }
            let inner = self.properties(of: object, named: name == "report" ? key : "\(name).\(key)")
            found.merge(inner) { first, _ in first }
        }
        return found
    }

    /// The fields in the tables of a document, by their sections. A row may be about several.
    private func tables(in text: String) -> [String: Set<String>] {
        var tables: [String: Set<String>] = [:]
        var section = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            guard line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
            let parts = cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
            tables[section, default: []].formUnion(parts.map { String($0.element) })
        }
        return tables
    }

    @Test func `the reference lists the fields that the schema has, and no others`() throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        let bytes = try Data(contentsOf: docs.appending(path: "report.schema.json"))
        let schema = try #require(JSONSerialization.jsonObject(with: bytes) as? Object)
        var objects = properties(of: schema, named: "report")
        for (name, definition) in schema["$defs"] as? Object ?? [:] {
            objects.merge(properties(of: definition as? Object ?? [:], named: name)) { first, _ in first }
        }
        let tables = tables(in: try String(contentsOf: docs.appending(path: "report.md"), encoding: .utf8))
        for (name, fields) in tables { #expect(fields == objects[name], "\(name)") }
        // These stand in the row of the field that has them.
        let untold = Set(objects.keys).subtracting(tables.keys)
        #expect(untold == ["change.base", "changedFile", "indirectChange"])
    }

    @Test func `the published schema describes tests that were repeated`() throws {
        try expectDescribed(SampleRuns.passing(), ProbationInReportsTests.verdict)
    }

    @Test func `a report with a limit says how much it leaves out`() throws {
        let run = SampleRuns.failing()
        let verdict = SampleVerdicts.failing(run)
        let report = JSONReport(run, verdict, most: 0)
        #expect(report.tests.isEmpty && report.failures.isEmpty && report.violations.isEmpty && report.files.isEmpty)
        #expect(report.outcomes == JSONReport(run, verdict).outcomes)
        #expect(report.leftOut?.tests == run.tests.count && report.leftOut?.failures == run.failures.count)
        #expect(JSONReport(run, verdict).leftOut == nil)
        try expectDescribed(run, verdict, most: 0)
    }

    @Test func `the published schema describes causes and what failures have in common`() throws {
        try expectDescribed(CausesInReportsTests.run, CausesInReportsTests.verdict)
        var run = SampleRuns.failing()
        for index in run.tests.indices where run.tests[index].outcome.isFailure {
            run.tests[index].outcome = .failed
            run.tests[index].attempts = [
                TestAttempt(outcome: .failed, issues: [Issue(message: "Caught error: \(SampleRuns.hostile)")])
            ]
        }
        let verdict = CausesInReportsTests.verdict
        #expect(try JSONReport.render(run, verdict).contains("\"failureGroups\""))
        try expectDescribed(run, verdict)
    }

    @Test func `the published schema describes what broke a test`() throws {
        let run = SampleRuns.failing()
        var verdict = SampleVerdicts.failing(run)
        let commit = String(repeating: "0a", count: 20)
        let culprit = Culprit(
            test: run.failures[0].id, good: commit, bad: commit,
            suspects: [
                Culprit.Suspect(
                    commit: commit, subject: SampleRuns.hostile, author: SampleRuns.hostile,
                    committedAt: SampleRuns.moment)
            ], probability: 1, merge: commit, runs: 9, builds: 5, duration: .seconds(1), foundAt: SampleRuns.moment)
        verdict.failureOrigins[0].kind = .redOnBase(
            since: FailureOrigin.FirstFailure(
                run: SampleRuns.id(1), commit: commit, author: nil, startedAt: nil, isFirst: true, culprit: culprit))
        try expectDescribed(run, verdict)
        #expect(try JSONReport.render(run, verdict).contains("\"probability\" : \"0.999\""))
    }

    @Test func `the published schema describes failures of the base that are let through`() throws {
        try expectDescribed(AllowedFailuresInReportsTests.run, AllowedFailuresInReportsTests.verdict)
    }

    @Test(arguments: OwnersInReportsTests.files)
    func `the published schema describes owners`(file: CodeOwnersFile) throws {
        let run = SampleRuns.failing()
        try expectDescribed(run, OwnersInReportsTests.verdict(run, file))
    }
}
