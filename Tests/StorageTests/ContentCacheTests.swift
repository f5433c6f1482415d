import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct ContentCacheTests {
    /// Counts how often something is made.
    private final class Maker {
        var times = 0

        func make(_ body: [UInt8]) -> [UInt8] {
            times += 1
            return body.reversed()
        }
    }

    private static func value(
        _ memory: ContentCache, _ id: Int64, _ body: [UInt8], size: Int = 0, _ maker: Maker
    ) -> [UInt8] {
        memory.value(of: id, body, size: { _ in size }, maker.make)
    }

    @Test func `what was made of a content is not made again`() {
        let (memory, maker) = (ContentCache(), Maker())
        for _ in 0..<3 { #expect(Self.value(memory, 1, [1, 2], maker) == [2, 1]) }
        #expect(maker.times == 1)
    }

    @Test func `a number that means other bytes is another content`() {
        let (memory, maker) = (ContentCache(), Maker())
        #expect(Self.value(memory, 1, [1, 2], maker) == [2, 1])
        #expect(Self.value(memory, 1, [1, 3], maker) == [3, 1])
        #expect(Self.value(memory, 1, [1, 3], maker) == [3, 1])
        #expect(maker.times == 2)
    }

    @Test func `two values of one content do not meet`() {
        let (memory, maker) = (ContentCache(), Maker())
        #expect(Self.value(memory, 1, [1, 2], maker) == [2, 1])
        #expect(memory.value(of: 1, [1, 2], size: { _ in 0 }) { $0.count } == 2)
        #expect(Self.value(memory, 1, [1, 2], maker) == [2, 1])
        #expect(maker.times == 1)
    }

    @Test func `what was not used for the longest time makes room`() {
        let (memory, maker) = (ContentCache(), Maker())
        let mebibyte = 1 << 20
        for id in 1...4 as ClosedRange<Int64> { _ = Self.value(memory, id, [], size: mebibyte, maker) }
        _ = Self.value(memory, 1, [], size: mebibyte, maker)
        _ = Self.value(memory, 5, [], size: mebibyte, maker)
        #expect(maker.times == 5)
        #expect(memory.size == 4 * mebibyte)
        for id in [1, 3, 4, 5] as [Int64] { _ = Self.value(memory, id, [], size: mebibyte, maker) }
        #expect(maker.times == 5)
        _ = Self.value(memory, 2, [], size: mebibyte, maker)
        #expect(maker.times == 6)
    }

    @Test func `what takes much of the room is not remembered`() {
        let (memory, maker) = (ContentCache(), Maker())
        for _ in 0..<2 { _ = Self.value(memory, 1, [], size: 1 << 20 | 1, maker) }
        #expect(maker.times == 2)
        #expect(memory.size == 0)
    }

    @Test func `a run is read with a memory as it is without one`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        for run in [SampleRuns.passing(), SampleRuns.failing(), SampleRuns.undecided()] { try store.ingest(run) }
        for _ in 0..<2 {
            for id in 1...3 {
                let plain = try store.read { connection in
                    try RunReading(Connection(database: connection.database)).run(SampleRuns.id(id))
                }
                #expect(try store.run(SampleRuns.id(id))?.run == plain?.run)
                #expect(try store.run(SampleRuns.id(id))?.verdict == plain?.verdict)
                #expect(plain != nil)
            }
        }
    }
}
