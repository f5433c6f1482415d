import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct TestMapTests {
    private func run(_ number: Int, _ map: TestMap?) -> TestRun {
        var run = SampleRuns.passing(number)
        run.tests = SampleMaps.tests.map { TestResult(id: $0, library: .xctest, outcome: .passed) }
        run.testMap = map
        return run
    }

    @Test func `a map is read back as it was stored, whole or a file of it`() throws {
        let place = try TemporaryStore()
        let stored = run(1, SampleMaps.map)
        _ = try place.open().ingest(stored, verdict: .sample(for: stored), runDirectory: nil)
        let store = try place.open()
        #expect(try store.testMap(of: stored.id)?.normalized == SampleMaps.map.normalized)
        let file = try #require(try store.testMap(of: stored.id, file: "Sources/Core/G.swift"))
        #expect(file.files == [TestMap.File(path: "Sources/Core/G.swift", functions: file.files[0].functions)])
        #expect(file.sets == [TestMap.TestSet(tests: [0, 1, 2], hasOthers: true)])
        #expect(try store.check() == [])
    }

    @Test func `a run without a map has none, and the newest with one is found`() throws {
        let place = try TemporaryStore()
        for stored in [run(1, SampleMaps.map), run(2, SampleMaps.map), run(3, nil)] {
            _ = try place.open().ingest(stored, verdict: .sample(for: stored), runDirectory: nil)
        }
        let store = try place.open()
        #expect(try store.testMap(of: run(3, nil).id) == nil)
        #expect(try store.latestRunWithTestMap(of: run(1, nil).project) == run(2, nil).id)
        #expect(try store.latestRunWithTestMap(of: "another") == nil)
    }

    @Test func `runs share what is the same, and what no run has any more is removed`() throws {
        let place = try TemporaryStore()
        var other = SampleMaps.map
        other.files[1].functions[0].set = 0
        for stored in [run(1, other), run(2, SampleMaps.map), run(3, SampleMaps.map)] {
            _ = try place.open().ingest(stored, verdict: .sample(for: stored), runDirectory: nil)
        }
        let store = try place.open()
        func contents() throws -> Int {
            try store.read { try $0.statement("SELECT count(*) FROM content").first { $0.int(0) } ?? 0 }
        }
        let before = try contents()
        _ = try store.prune(keeping: Retention(newest: 2), isDryRun: false)
        // The list of the first run, and its second file.
        #expect(try before - contents() >= 2)
        #expect(try store.testMap(of: run(3, nil).id)?.normalized == SampleMaps.map.normalized)
        #expect(try store.check() == [])
    }

    @Test func `a damaged map is an error`() throws {
        let bytes = try PackedFileMap.encode(SampleMaps.map.files[0], sets: SampleMaps.map.sets, rows: [1, 2, 3])
        let plain = try Deflate.unpacked(bytes)
        for count in 0..<plain.count {
            let cut = try Deflate.packed(Array(plain[..<count]))
            _ = try? PackedFileMap.decode(cut)
        }
        #expect(throws: UnreadableContent.self) { try PackedFileMap.decode(try Deflate.packed([200])) }
        #expect(throws: UnreadableContent.self) { try TestMapList.decode(try Deflate.packed([9, 1])) }
        let list = TestMapList(
            tests: [7, 3], durations: [0, nil], entries: [TestMapList.Entry(path: 4, functions: 9)])
        #expect(try TestMapList.decode(list.encoded()) == list)
        let whole = try Deflate.unpacked(list.encoded())
        // What is cut between two files is a shorter list.
        for count in 0..<whole.count where count != whole.count - 2 {
            #expect(throws: (any Error).self) { try TestMapList.decode(Deflate.packed(Array(whole[..<count]))) }
        }
        #expect(throws: UnreadableContent.self) {
            try TestMapList.decode(try Deflate.packed([1, 0] + Array(repeating: 255, count: 6) + [1]))
        }
    }
}

extension TestMap {
    /// The same with the tests of each set instead of their numbers, since the order of sets means nothing.
    fileprivate var normalized: [String] {
        files.flatMap { file in
            file.functions.map { function in
                "\(file.path) \(function.symbol) \(function.line) \(function.lastLine) \(sets[function.set]) "
                    + function.spans.map { "\($0.first)-\($0.last) \(sets[$0.set])" }.joined(separator: " ")
            }
        } + tests.map(\.description)
    }
}
