import Foundation
import Testing

@testable import CodeCoverage

/// Records as the preloaded library writes them, made by hand.
@Suite struct TestRecordsTests {
    private static func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    private static func long(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    static func record(_ kind: Character, _ content: [UInt8]) -> [UInt8] {
        Array(kind.utf8) + word(UInt32(content.count)) + content
    }

    static func image(_ counters: UInt32) -> [UInt8] { record("I", word(0) + word(counters) + long(7) + long(9)) }

    /// Two tests, of which the second uses an initialiser that uses another.
    static let sample: [UInt8] =
        image(300) + record("E", word(0)) + record("T", word(1) + Array("Module.Class/testOne".utf8))
        + record("S", [1] + word(1) + word(0) + [5, 1, 0x80, 1, 0x80, 2]) + record("E", word(1))
        + record("J", word(2) + Array(#"Module.two()\/File.swift:1:2"#.utf8)) + record("D", word(0) + word(1))
        + record("S", [2] + word(0) + word(0) + [7, 1]) + record("E", word(2) + [0]) + record("X", [])

    private func read(_ bytes: [UInt8]) throws -> TestRecords {
        try bytes.withUnsafeBytes { bytes in try TestRecords(bytes) }
    }

    @Test func `tests have their names, counters and initialisers`() throws {
        let records = try read(Self.sample)
        #expect(records.tests == [1: "Module.Class/testOne", 2: "Module.two()/File.swift:1:2"])
        let own = try #require(records.increments[.test(1)]?.first)
        #expect(own.counters.map(\.place) == [5, 133])
        #expect(own.counters.map(\.increment) == [1, 256])
        #expect(records.used[2] == [0] && records.nested[0] == [1])
        #expect(records.isComplete && records.open == nil)
        let process = RecordedProcess(records: records, functions: [])
        #expect(process.initialisers(usedBy: 2) == [0, 1])
        #expect(process.initialisers(usedBy: 1) == [])
    }

    @Test func `what is executed before a test case is made belongs to the case`() throws {
        func increments(_ owner: UInt8, _ number: UInt32, at place: UInt8) -> [UInt8] {
            Self.record("S", [owner] + Self.word(number) + Self.word(0) + [place, 1])
        }
        func made(_ number: UInt32, _ name: String, using: [UInt8] = []) -> [UInt8] {
            Self.record("E", Self.word(number) + using) + Self.record("C", Self.word(number) + Array(name.utf8))
        }
        // Of the second case a part was settled before an initialiser.
        let bytes =
            Self.image(300) + increments(1, 1, at: 1) + made(1, "M.C/testA") + increments(0, 0, at: 2)
            + increments(1, 2, at: 3) + made(2, "M.C/testB", using: [4]) + increments(0, 0, at: 5)
            + Self.record("E", Self.word(0)) + Self.record("T", Self.word(3) + Array("M.C/testA".utf8))
        let records = try read(bytes)
        #expect(records.tests == [3: "M.C/testA"] && records.cases == ["M.C/testA": [1], "M.C/testB": [2]])
        func places(_ owner: TestRecords.Owner) -> [Int] {
            (records.increments[owner] ?? []).flatMap { $0.counters.map(\.place) }.sorted()
        }
        #expect(places(.test(1)) == [1] && places(.test(2)) == [2, 3] && places(.nobody) == [5])
        #expect(records.used[2] == [4])
    }

    @Test func `a file that ends anywhere is read as far as it is complete`() throws {
        for count in Self.sample.indices {
            let records = try read(Array(Self.sample[..<count]))
            #expect(!records.isComplete)
        }
    }

    @Test func `an open test is known`() throws {
        let started = Self.image(3) + Self.record("T", Self.word(1) + Array("a".utf8))
        #expect(try read(started).open == 1)
        #expect(try read(Self.image(3) + Self.record("O", Self.word(4))).open == 4)
        #expect(try read(Self.image(3) + Self.record("O", Self.word(0))).open == nil)
    }

    @Test func `a program that was killed without a profile leaves open what its test executed`() throws {
        func isInterrupted(_ bytes: [UInt8]) throws -> Bool {
            try bytes.withUnsafeBytes { bytes in
                try RecordedProcess(bytes) { _ throws(MappingFault) in
                    try ImageFunctions(UnsafeRawBufferPointer(start: nil, count: 0))
                } live: { _ in
                    nil
                }.isInterrupted
            }
        }
        let started = Self.image(3) + Self.record("O", Self.word(4))
        #expect(try isInterrupted(started))
        let path = Self.word(0) + Self.word(3) + Self.long(7) + Self.long(9) + Array("/p/live.profraw".utf8)
        #expect(try isInterrupted(Self.record("I", path) + Self.record("O", Self.word(4))))
        #expect(try !isInterrupted(started + Self.record("X", [])))
    }

    @Test(arguments: [
        record("?", []), record("I", [1]), image(3) + record("S", [1] + word(1) + word(1)),
        image(3) + record("S", [1] + word(1) + word(0) + [3, 1]), image(3) + record("S", [4] + word(1) + word(0)),
        record("T", word(0) + [65]), record("T", word(1) + [0xFF]), record("J", word(1) + [0x5C]),
        record("X", [1]), record("T", word(1) + [65]) + record("T", word(1) + [66]),
    ])
    func `what the library never writes is refused`(bytes: [UInt8]) {
        #expect(throws: MappingFault.self) { try read(bytes) }
    }

    @Test func `bytes that changed are read or refused, never a trap`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = Self.sample
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = try? read(bytes)
        }
    }

    @Test func `counters belong to the function that lists them`() throws {
        let list = Self.long(11) + Self.word(0) + Self.word(2) + Self.long(12) + Self.word(4) + Self.word(3)
        let functions = try (list + list.prefix(16)).withUnsafeBytes { try ImageFunctions($0) }
        var found: [String] = []
        try functions.each([(1, 5), (4, 1), (6, 2)]) { name, counters throws(MappingFault) in
            found.append("\(name) \(Array(counters))")
        }
        #expect(found == ["11 [0, 5]", "12 [1, 0, 2]"])
        #expect(throws: MappingFault.self) { try functions.each([(3, 1)]) { _, _ throws(MappingFault) in } }
        let overlapping = list + Self.long(13) + Self.word(1) + Self.word(1)
        #expect(throws: MappingFault.self) { try overlapping.withUnsafeBytes { try ImageFunctions($0) } }
    }
}
