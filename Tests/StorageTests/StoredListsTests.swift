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

    @Test func `noise, runs and nothing are unpacked as they were packed`() throws {
        var random = SplitMix64(seed: 2)
        let noise = (0..<20_000).map { _ in UInt8(random.below(9)) }
        for bytes in [[], [7], noise, [UInt8](repeating: 3, count: 20_000), noise.sorted()] {
            let packed = try Deflate.packed(noise: bytes)
            #expect(try Deflate.unpacked(packed) == bytes)
            #expect(packed.count <= bytes.count / 2 + 16)
        }
        #expect(try Deflate.packed(noise: noise).count < Deflate.packed(noise).count)
        #expect(try Deflate.packed(noise: [UInt8](repeating: 3, count: 20_000)).count < 100)
    }

    @Test(
        arguments: [
            (0, 0), (1, 1), (99, 99), (100, 100), (101, 102), (199, 200), (202, 200), (203, 205), (499, 500),
            (994, 990),
            (995, 1000), (999, 1000), (3_000_000, 3_000_000), (870_000, 870_000), (1_234_567_890, 1_240_000_000),
            (-1_234_567_890, -1_240_000_000), (Int64.max, 9_200_000_000_000_000_000),
            (Int64.min, -9_200_000_000_000_000_000),
        ] as [(Int64, Int64)])
    func `a duration keeps two digits and a half`(duration: Int64, rounded: Int64) throws {
        #expect(RoundedDurations.rounded(duration) == rounded)
        let list = [nil, duration, nil, 5, duration]
        let steps = list.map { $0.map(RoundedDurations.step) }
        #expect(try DurationList.decode(DurationList.encode(steps)) == steps)
        for base in [steps, [1, nil, nil, 900, 0], [nil, 2000, 3, nil, 250]] {
            let packed = try DurationList.encode(steps, from: base).packed
            #expect(try DurationList.decode(packed, from: base) == [nil, rounded, nil, 5, rounded])
        }
        #expect(try ExactDurations.apply(ExactDurations.encode(list), to: [nil, 1, nil, 2, 3]) == list)
    }

    @Test(arguments: [2812, 2813, Int16.max, .min, -2813, -2812] as [RoundedDurations.Step])
    func `a step beyond the greatest duration is damage`(step: RoundedDurations.Step) throws {
        let packed = try DurationList.encode([step], from: [nil]).packed
        if abs(Int(step)) <= 2812 {
            let greatest = Int64(step.signum()) * 9_200_000_000_000_000_000
            #expect(try DurationList.decode(packed, from: [nil]) == [greatest])
        } else {
            #expect(throws: UnreadableContent.self) { try DurationList.decode(packed, from: [nil]) }
        }
    }

    @Test func `no duration is off by more than one in eighty, and rounding twice is rounding once`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let duration = Int64(random.below(Int.max)) >> random.below(62)
            let rounded = RoundedDurations.rounded(duration)
            #expect(abs(rounded - duration) <= duration / 80 + 1)
            #expect(RoundedDurations.rounded(rounded) == rounded)
        }
    }

    @Test func `lists of tests are read back, however they jump`() throws {
        for tests in [[], [1], [5, 1, 9, 2], [Int64.max, 1, Int64.max], Array(1...1000)] as [[Int64]] {
            #expect(try Roster.decode(tests: Roster.encode(tests: tests)) == tests)
        }
        #expect(try Roster.decode(editions: Roster.encode(editions: [0, 3, 300])) == [0, 3, 300])
        #expect(try Roster.encode(tests: Array(1...5000)).count < 64)
    }

    @Test func `every ending has its byte`() throws {
        for outcome in Outcome.allCases {
            for library in TestingLibrary.allCases {
                for attempts in [TestEnding.Attempts.none, .one, .listed] {
                    let ending = TestEnding(outcome: outcome, library: library, attempts: attempts)
                    #expect(try TestEnding(ending.byte) == ending)
                    #expect(TestEnding.isFailure(ending.byte) == outcome.isFailure)
                }
            }
        }
        for byte in [7, 0b0001_1000, 0b0110_0000, 255] as [UInt8] {
            #expect(throws: UnreadableContent.self) { try TestEnding(byte) }
        }
    }
}

@Suite struct CoverageChainTests {
    /// Few files and few bodies, so that records repeat, move and come twice.
    private static func records(_ random: inout SplitMix64) -> [CoverageRecord] {
        (0..<random.below(9)).map { _ in
            CoverageRecord(
                file: Int64(random.below(6)), body: [UInt8](repeating: 1, count: random.below(3))[...])
        }
    }

    @Test func `a coverage is made again from any other`() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            let (base, records) = (Self.records(&random), Self.records(&random))
            #expect(try CoverageChain.decode(CoverageChain.encode(records, from: base), from: base) == records)
        }
    }

    @Test func `one file of many costs little`() throws {
        let base = (0..<500).map { CoverageRecord(file: $0, body: [1, 2, 3]) }
        var records = base
        records[250] = CoverageRecord(file: 250, body: [1, 2, 4])
        #expect(try CoverageChain.encode(records, from: base).count < 60)
        records.remove(at: 100)
        records.insert(CoverageRecord(file: 500, body: [9]), at: 300)
        #expect(try CoverageChain.encode(records, from: base).count < 70)
    }

    @Test func `files are told in columns, and exactly`() throws {
        var random = SplitMix64(seed: 6)
        let hashes = [nil, "short", String(repeating: "0123456789abcdef", count: 4), String(repeating: "F", count: 64)]
        for _ in 0..<500 {
            let records = try (0..<random.below(30)).map { file in
                let coverage = FileCoverage(
                    path: "", module: "", sourceHash: hashes[random.below(4)],
                    lines: SampleRuns.lines(random.below(90), covered: random.below(9)),
                    regions: CoverageTally(covered: random.below(300), total: 300),
                    functions: CoverageTally(covered: 1, total: Int(Int32.max)))
                return try #require(CoverageRecord(coverage, file: Int64(file * random.below(3))))
            }
            #expect(try CoverageChain.decode(CoverageChain.encode(records, from: []), from: []) == records)
        }
    }

    @Test func `columns that are cut short or changed are refused or read, and nothing else`() throws {
        let record = CoverageRecord(
            file: 3, sourceHash: String(repeating: "0123456789abcdef", count: 4), numbers: [1, 2, 3, 4],
            states: [0, 9, 2, 6])
        let records = [record, CoverageRecord(file: 4, body: [9])]
        let body = try CoverageChain.encode(records, from: [])
        for length in body.indices {
            #expect(throws: UnreadableContent.self) { try CoverageChain.decode(Array(body[..<length]), from: []) }
        }
        for index in body.indices {
            var damaged = body
            damaged[index] ^= 0x10
            // A few bits of a packed list are there to fill a byte.
            let read = try? CoverageChain.decode(damaged, from: [])
            #expect(read == nil || read == records, "\(index)")
        }
    }

    @Test func `lists that hold anything are refused or read, however they came into a sound pack`() throws {
        var random = SplitMix64(seed: 8)
        let records = (0..<4).map { file in
            CoverageRecord(
                file: Int64(file), sourceHash: file == 2 ? nil : String(repeating: "0123456789abcdef", count: 4),
                numbers: [1, 200, 3, 40_000], states: [0, 9, 2, 6])
        }
        let body = try CoverageChain.encode(records + [CoverageRecord(file: 9, body: [9])], from: [])
        let (bytes, hashes) = try Deflate.unpackedPrefix(body.dropFirst(CoverageColumns.mark.count))
        var read = 0
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0...random.below(3) {
                let place = random.below(damaged.count)
                switch random.below(4) {
                case 0: damaged[place] = UInt8(random.below(256))
                case 1: damaged.remove(at: place)
                case 2: damaged.insert(contentsOf: [UInt8](repeating: 0xFF, count: random.below(12)), at: place)
                default: damaged[place] ^= UInt8(1 << random.below(8))
                }
            }
            let packed = try CoverageColumns.mark + Deflate.packed(damaged) + hashes
            guard let found = try? CoverageChain.decode(packed, from: records) else { continue }
            read += 1
            for record in found { _ = try? record.coverage(path: "", module: "") }
        }
        #expect(read > 1_000)
    }

    @Test func `steps that were written record by record are read`() throws {
        let base = [CoverageRecord(file: 9, body: [5])]
        let steps = try Deflate.packed([1, 7, 3, 1, 2, 3, 1, 1])
        #expect(
            try CoverageChain.decode(steps, from: base) == [CoverageRecord(file: 7, body: [1, 2, 3]), base[0]])
    }

    @Test func `damaged steps are refused`() throws {
        let base = [CoverageRecord(file: 1, body: [1])]
        let far = [0] + [UInt8](repeating: 0xFE, count: 9) + [1, 1]
        for bytes in [[1], [0, 0, 2], [0, 1, 1], [0, 4, 1], [2, 1, 9], far] {
            #expect(throws: UnreadableContent.self) { try CoverageChain.decode(Deflate.packed(bytes), from: base) }
        }
    }

    @Test func `a long history is read back, and begins anew now and then`() throws {
        let place = try TemporaryStore()
        let store = try place.open()
        let count = CoverageChain.mostSteps(files: 30) + 30
        let runs = (0..<count).map { number in
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
        for run in runs { try store.ingest(run) }
        for (number, run) in runs.enumerated() where number % 9 == 0 && number < count - 1 {
            #expect(try store.run(run.id)?.run == run.withoutCounts)
        }
        #expect(try store.run(runs[count - 1].id)?.run == runs[count - 1])
        let whole = try store.read {
            try $0.statement("SELECT count(*) FROM coverage WHERE base IS NULL").first { $0.int(0) }
        }
        #expect(whole == 2)
        _ = try store.prune(keeping: Retention(newest: 10), isDryRun: false)
        #expect(try store.run(runs[count - 5].id)?.run == runs[count - 5].withoutCounts)
        #expect(try store.check() == [])
    }
}
