import Evidence
import Foundation
import Testing

@testable import Dashboard

@Suite final class RunCacheTests {
    private struct Fault: Error {}

    private let folder = FileManager.default.temporaryDirectory.appending(path: "kanmon-cache-\(UUID())").path()
    private let cache = RunCache<Int>()

    init() throws {
        for number in 1...3 { try make(number) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func directory(_ number: Int) -> RunDirectory { RunDirectory(path: "\(folder)/\(number)") }

    private func make(_ number: Int) throws {
        try FileManager.default.createDirectory(atPath: directory(number).path, withIntermediateDirectories: true)
    }

    @Test func `the evidence of the last two runs is read once`() {
        var read: [Int] = []
        func look(at number: Int) -> Int? {
            cache.value(of: directory(number)) { _ in
                read.append(number)
                return number
            }
        }
        #expect([1, 2, 1, 2, 2, 1].map(look) == [1, 2, 1, 2, 2, 1])
        #expect(read == [1, 2])
        #expect([3, 2, 3].map(look) == [3, 2, 3])
        #expect(read == [1, 2, 3])
        #expect(look(at: 1) == 1)
        #expect(read == [1, 2, 3, 1])
    }

    @Test func `a folder that took the place of another one is read`() throws {
        #expect(cache.value(of: directory(1)) { _ in 1 } == 1)
        try FileManager.default.moveItem(atPath: directory(1).path, toPath: "\(folder)/aside")
        #expect(cache.value(of: directory(1)) { _ in nil } == nil)
        try make(1)
        #expect(cache.value(of: directory(1)) { _ in 2 } == 2)
    }

    @Test func `what was not there or could not be read is looked for again`() throws {
        #expect(cache.value(of: directory(1)) { _ in nil } == nil)
        #expect(throws: Fault.self) { try cache.value(of: directory(1)) { _ in throw Fault() } }
        #expect(cache.value(of: directory(1)) { _ in 7 } == 7)
        #expect(cache.value(of: directory(1)) { _ in nil } == 7)
    }
}
