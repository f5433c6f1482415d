import Testing

@testable import TestRunning

@Suite struct LeakWatchTests {
    /// What is answered to looks at some seconds, each with whether there are orphans and which zombies.
    private func answers(_ looks: [(at: Double, hasOrphans: Bool, zombies: Set<Int32>)]) -> [Bool] {
        var watch = LeakWatch()
        return looks.map { look in
            watch.observe(hasOrphans: look.hasOrphans, zombies: look.zombies, at: .seconds(look.at))
        }
    }

    @Test func `orphans with a zombie that stays are what SwiftPM waits for`() {
        #expect(answers([(1, true, [12]), (1.1, true, [12]), (1.25, true, [12])]) == [false, false, true])
    }

    @Test func `orphans while the tests run are left alone`() {
        #expect(answers([(1, true, []), (2, true, []), (3, true, [])]) == [false, false, false])
    }

    @Test func `zombies that come and go are work that is done, not a wait`() {
        let passing = (1...9).map { (at: Double($0) / 10, hasOrphans: true, zombies: Set([Int32($0), Int32($0) + 1])) }
        // Each shares one with the look before, and none is there for three looks.
        #expect(!answers(passing).contains(true))
        #expect(answers([(1, true, [12, 13]), (1.1, true, [13, 14]), (1.3, true, [13])]) == [false, false, true])
    }

    @Test func `what was seen is forgotten when the orphans are gone, and when the time has come`() {
        let gone = answers([(1, true, [12]), (2, false, [12]), (3, true, [12]), (4, true, [12])])
        #expect(gone == [false, false, false, true])
        let ended = answers([(1, true, [12]), (2, true, [12]), (3, true, [12]), (4, true, [12])])
        #expect(ended == [false, true, false, true])
    }

    @Test func `zombies are not looked for without orphans`() {
        var watch = LeakWatch()
        var count = 0
        func zombies() -> Set<Int32> {
            count += 1
            return [12]
        }
        _ = watch.observe(hasOrphans: false, zombies: zombies(), at: .seconds(1))
        #expect(count == 0)
        _ = watch.observe(hasOrphans: true, zombies: zombies(), at: .seconds(2))
        #expect(count == 1)
    }
}
