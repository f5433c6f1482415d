import Gate
import RunModel
import TestSupport
import Testing

@testable import Storage

@Suite struct StoredListsTests {
    @Test(
        arguments: [
            [], [7], Array(repeating: 3, count: 5000), (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 167) },
        ] as [[UInt8]])
    func `what was packed comes out`(bytes: [UInt8]) throws {
        let packed = try Deflate.packed(bytes)
        #expect(try Deflate.unpacked(packed) == bytes)
        for length in packed.indices {
            #expect(throws: UnreadableContent.self) { try Deflate.unpacked(Array(packed[..<length])) }
        }
    }

    @Test(
        arguments: [
            (0, 0), (1, 1), (999, 999), (1000, 1000), (1004, 1000), (1005, 1010), (9_994, 9_990), (9_995, 10_000),
            (3_000_000, 3_000_000), (871_000, 871_000), (1_234_567_890, 1_230_000_000),
            (-1_234_567_890, -1_230_000_000), (Int64.max, 9_220_000_000_000_000_000),
            (Int64.min, -9_220_000_000_000_000_000),
        ] as [(Int64, Int64)])
    func `a duration keeps three digits`(duration: Int64, rounded: Int64) throws {
        #expect(DurationList.rounded(duration) == rounded)
        let list = [nil, duration, nil, 5, duration]
        #expect(try DurationList.decode(DurationList.encode(list)) == [nil, rounded, nil, 5, rounded])
    }

    @Test func `a number beyond the greatest duration is damage`() throws {
        // 15 powers above the first, 823 digits above 100.
        let greatest: UInt64 = 1000 + 15 * 900 + 822
        for number in [greatest, greatest + 1, greatest + 900, 1 << 40, 1 << 62] {
            var bytes: [UInt8] = []
            Varint.append(number << 1 + 1, to: &bytes)
            let packed = try Deflate.packed(bytes)
            if number == greatest {
                #expect(try DurationList.decode(packed) == [9_220_000_000_000_000_000])
            } else {
                #expect(throws: UnreadableContent.self) { try DurationList.decode(packed) }
            }
        }
    }

    @Test func `no duration is off by more than one in two hundred, and rounding twice is rounding once`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let duration = Int64(random.below(Int.max)) >> random.below(62)
            let rounded = DurationList.rounded(duration)
            #expect(abs(rounded - duration) <= duration / 200 + 1)
            #expect(DurationList.rounded(rounded) == rounded)
        }
    }

    @Test func `lists of tests are read back, however they jump`() throws {
        for tests in [[], [1], [5, 1, 9, 2], [Int64.max, 1, Int64.max], Array(1...1000)] as [[Int64]] {
            #expect(try TestList.decode(tests: TestList.encode(tests: tests)) == tests)
        }
        #expect(try TestList.decode(editions: TestList.encode(editions: [0, 3, 300])) == [0, 3, 300])
        #expect(try TestList.encode(tests: Array(1...5000)).count < 64)
    }

    @Test func `every packed result has its byte`() throws {
        for outcome in Outcome.allCases {
            for library in TestingLibrary.allCases {
                for attempts in [PackedResult.Attempts.none, .one, .listed] {
                    let ending = PackedResult(outcome: outcome, library: library, attempts: attempts)
                    #expect(try PackedResult(ending.byte) == ending)
                    #expect(PackedResult.isFailure(ending.byte) == outcome.isFailure)
                }
            }
        }
        for byte in [7, 0b0001_1000, 0b0110_0000, 255] as [UInt8] {
            #expect(throws: UnreadableContent.self) { try PackedResult(byte) }
        }
    }
}

@Suite struct CoverageListTests {
    private static func runs(_ count: Int) -> [TestRun] {
        (0..<count).map { number in
            var run = SampleRuns.passing(number)
            run.coverage?.files += (0..<30).map { file in
                FileCoverage(
                    path: "Sources/Core/F\(file).swift", module: "Core",
                    sourceHash: String(repeating: "0123456789abcdef", count: 4),
                    lines: SampleRuns.lines(20, covered: (number + file) % 30 == 0 ? number % 20 : 7),
                    regions: CoverageTally(covered: 1, total: 2), functions: CoverageTally(covered: 1, total: 1))
            }
            return run
        }
    }

    @Test func `a list of files is read back, however it jumps`() throws {
        let entries = [(1, 9), (2, 10), (3, 4), (Int64.max, 1), (1, Int64.max)].map {
            CoverageList.Entry(file: $0.0, content: $0.1)
        }
        for length in 0...entries.count {
            let list = Array(entries.prefix(length))
            #expect(try CoverageList.decode(CoverageList.encode(list)) == list)
        }
    }

    @Test func `the coverage of a file is packed exactly, and damage is refused or read, and nothing else`() throws {
        var random = SplitMix64(seed: 6)
        let hashes = [nil, "short", String(repeating: "0123456789abcdef", count: 4), String(repeating: "F", count: 64)]
        for _ in 0..<500 {
            let file = FileCoverage(
                path: "p", module: "m", sourceHash: hashes[random.below(4)],
                lines: SampleRuns.lines(random.below(90), covered: random.below(9)),
                regions: CoverageTally(covered: random.below(300), total: 300),
                functions: CoverageTally(covered: 1, total: Int(Int32.max)))
            let packed = try #require(PackedCoverage.encode(file))
            let read = try PackedCoverage.decode(packed, path: "p", module: "m")
            #expect(read.sourceHash == file.sourceHash)
            #expect(read.regions == file.regions && read.functions == file.functions)
            #expect(read.lines.map(\.line) == file.lines.map(\.line))
            #expect(read.lines.map(\.count.isCovered) == file.lines.map(\.count.isCovered))
            var damaged = packed
            damaged[random.below(damaged.count)] = UInt8(random.below(256))
            _ = try? PackedCoverage.decode(damaged, path: "p", module: "m")
            #expect(throws: UnreadableContent.self) { try PackedCoverage.decode([], path: "p", module: "m") }
        }
    }

    @Test func `what was covered of a file is stored once, and pruned with the last run that has it`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let runs = Self.runs(40)
        for run in runs { try store.ingest(run) }
        for run in runs.dropLast() { #expect(try store.run(run.id)?.run == run.withoutCounts) }
        #expect(try store.run(runs[39].id)?.run == runs[39])
        func contents() throws -> Set<Int64> {
            try store.read { connection in
                let lists = try connection.statement("SELECT coverage FROM run").all { $0.integer(0) }
                return Set(try lists.flatMap { try CoverageList.decode(connection.bytes($0)).map(\.content) })
            }
        }
        // One file of thirty changes from run to run; the others have one content in all runs, as none has its name.
        #expect(try contents().count < 40)
        _ = try store.prune(keeping: Retention(newest: 2), isDryRun: false)
        #expect(try contents().count < 8)
        #expect(try store.run(runs[38].id)?.run == runs[38].withoutCounts)
        #expect(try store.check() == [])
    }
}
