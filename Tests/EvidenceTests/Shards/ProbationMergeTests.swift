import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// New and changed tests that the shards of a run repeated.
@Suite struct ProbationMergeTests {
    private static func probation(_ name: String, base: String = "b") -> Probation {
        Probation(
            base: base, runs: 20, budget: .seconds(30), seed: 4,
            entries: [
                Probation.Entry(
                    test: TestID(module: "CoreTests", suite: "A", name: name), reason: .new,
                    counts: [Probation.Count(.alone, TrialTally(passed: 20))])
            ])
    }

    /// What a merged run has of what its shards kept, each as text; `nil` for a shard that kept nothing.
    private func merged(_ texts: [String?]) throws -> Probation? {
        var shards = SampleShard.three
        for (index, text) in texts.enumerated() {
            if let text { shards[index].givenFiles = [(role: .probation, text: text)] }
        }
        let merge = try SampleMerge(shards)
        #expect(try merge.run().gaps == [])
        let kept = try merge.directory.manifest().artifacts.filter { $0.role == .probation }
        #expect(kept.map(\.path) == (texts.allSatisfy { $0 == nil } ? [] : ["probation.json"]))
        guard let file = kept.first else { return nil }
        return try JSONDecoder().decode(Probation.self, from: Data(merge.directory.bytes(of: file)))
    }

    private func text(_ probation: Probation) throws -> String {
        String(decoding: try JSONEncoder().encode(probation), as: UTF8.self)
    }

    @Test func `a merged run has repeated what its shards repeated`() throws {
        let parts = [Self.probation("four"), Self.probation("two"), Self.probation("three")]
        let whole = try #require(try merged(parts.map { try text($0) }))
        #expect(whole.entries.map(\.test.name) == ["four", "three", "two"])
        #expect(whole == Probation.merged(parts))
        #expect(whole.base == "b")
        #expect(try merged([nil, nil, nil]) == nil)
    }

    @Test func `what one shard does not know is not known of the run`() throws {
        let (four, two) = (try text(Self.probation("four")), try text(Self.probation("two")))
        let other = try text(Self.probation("three", base: "c"))
        for last in [nil, "{", other] {
            let part = try merged([four, two, last])
            #expect(part?.base == "")
            #expect(part?.entries.map(\.test.name) == (last == other ? ["four", "three", "two"] : ["four", "two"]))
        }
    }
}
