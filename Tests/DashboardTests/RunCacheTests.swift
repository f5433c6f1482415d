import RunModel
import TestSupport
import Testing

@testable import Dashboard

@Suite struct RunCacheTests {
    private struct Fault: Error {}

    @Test func `the evidence of the last two runs is read once`() {
        let memory = RunCache<Int>()
        var read: [Int] = []
        func look(at number: Int) -> Int? {
            memory.value(of: SampleRuns.id(number)) {
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

    @Test func `what was not there or could not be read is looked for again`() throws {
        let memory = RunCache<Int>()
        let id = SampleRuns.id(1)
        #expect(memory.value(of: id) { nil } == nil)
        #expect(throws: Fault.self) { try memory.value(of: id) { throw Fault() } }
        #expect(memory.value(of: id) { 7 } == 7)
        #expect(memory.value(of: id) { nil } == 7)
    }
}
