import Foundation
import RunModel
import Testing

@testable import Application
@testable import kanmon

@Suite struct ShardOptionsTests {
    @Test(arguments: [("1/1", 1, 1), ("2/3", 2, 3), ("1000/1000", 1000, 1000)])
    func `a shard is read as it is written`(text: String, index: Int, count: Int) {
        let shard = Shard(argument: text)
        #expect(shard == Shard(index: index, count: count))
        #expect(shard?.description == text)
    }

    @Test(arguments: ["", "1", "0/3", "4/3", "1/0", "-1/3", "+1/3", "1/3/3", "1/1001", "a/b", " 1/3", "１/3", "1/"])
    func `anything else is no shard`(text: String) { #expect(Shard(argument: text) == nil) }

    @Test func `durations are read from a report`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "durations-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(
            """
            {"tests": [
              {"module": "A", "suite": "B/C", "name": "d", "durationNanoseconds": 5, "outcome": "passed"},
              {"module": "A", "suite": "", "name": "e()", "file": "E.swift", "durationNanoseconds": 7},
              {"module": "A", "suite": "", "name": "skipped"}
            ]}
            """.utf8
        ).write(to: URL(filePath: path))
        #expect(
            try RecordedDurations.read(path) == [
                TestID(module: "A", suite: "B/C", name: "d"): .nanoseconds(5),
                TestID(module: "A", suite: "", name: "e()", discriminator: "E.swift"): .nanoseconds(7),
            ])
        try Data("[]".utf8).write(to: URL(filePath: path))
        #expect(throws: Problem.self) { try RecordedDurations.read(path) }
        #expect(throws: Problem.self) { try RecordedDurations.read(path + ".none") }
    }
}
