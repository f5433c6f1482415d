import Exports
import Foundation
import Gate
import RunModel
import TestSupport
import Testing

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

    private func expectDescribed(_ run: TestRun, _ verdict: Verdict) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/report.schema.json")
        let schema = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: root)) as? Object)
        let json = try JSONReport.render(run, verdict)
        let report = try JSONSerialization.jsonObject(with: Data(json.utf8))
        #expect(faults(report, schema, schema, at: "report") == [])
    }

    @Test(arguments: ReportSnapshotTests.samples)
    func `the published schema describes every field`(sample: ReportSnapshotTests.Sample) throws {
        try expectDescribed(sample.run, sample.verdict)
    }

    @Test(arguments: OwnersInReportsTests.files)
    func `the published schema describes owners`(file: CodeOwnersFile) throws {
        let run = SampleRuns.failing()
        try expectDescribed(run, OwnersInReportsTests.verdict(run, file))
    }
}
