import Foundation
import HTTPTypes
import Pages
import RunModel
import Synchronization
import TestSupport
import Testing
import Web

@testable import Dashboard
@testable import Storage

@Suite struct AnswerCacheTests {
    /// A dashboard that counts how often it asks for a run, over a store and under a clock that can be moved.
    private final class World: Sendable {
        let asked = Mutex(0)
        let version = Mutex<StoreVersion?>(StoreVersion(opening: 1, data: 1))
        let now = Mutex(SampleRuns.moment)

        func dashboard(
            _ configuration: DashboardConfiguration = DashboardConfiguration(), staleness: Duration = .zero
        ) throws -> SampleDashboard {
            var data = SampleDashboard.data
            let run = data.run
            data.run = { id in
                self.asked.withLock { $0 += 1 }
                return try await run(id)
            }
            data.version = { self.version.withLock { $0 } }
            return try SampleDashboard(
                data: data, configuration: configuration, staleness: staleness, clock: { self.now.withLock { $0 } })
        }
    }

    private static let page = "/runs/\(SampleRuns.id(2))/tests?target=CoreTests"

    @Test
    func `a page is kept when it is asked for again, and made anew when the store has changed or a minute has passed`()
        async throws
    {
        let world = World()
        let dashboard = try world.dashboard()
        var counts: [Int] = []
        func ask(_ target: String = Self.page, host: String = "localhost") async {
            #expect(await dashboard.ask(target, host: host).status == 200)
            counts.append(world.asked.withLock { $0 })
        }
        await ask()
        await ask()
        await ask()
        world.now.withLock { $0 += 59 - 5 }
        await ask()
        world.version.withLock { $0 = StoreVersion(opening: 1, data: 2) }
        await ask()
        world.version.withLock { $0 = StoreVersion(opening: 2, data: 2) }
        await ask()
        world.now.withLock { $0 += 60 }
        await ask()
        await ask()
        await ask(host: "127.0.0.1")
        await ask(Self.page.replacing("/tests", with: "/tests.json"))
        #expect(counts == [1, 2, 2, 2, 3, 4, 5, 5, 6, 7])
    }

    @Test func `what is told again is the same to the byte, and is not sent to whoever has it`() async throws {
        let dashboard = try World().dashboard()
        let first = await dashboard.ask(Self.page)
        let text = try await dashboard.page(Self.page)
        let second = await dashboard.ask(Self.page)
        #expect(second.lines == first.lines)
        #expect(try await dashboard.page(Self.page) == text)
        #expect(second.bytes == text.utf8.count)
        let tag = try #require(first["ETag"])
        let known = await dashboard.ask(Self.page, fields: [.ifNoneMatch: tag])
        #expect(known.status == 304)
        #expect(known.bytes == 0)
        // Of a length it may tell none but that of the page.
        #expect(known.lines == first.lines.filter { !$0.hasPrefix("Content-Type") })
        let head = await dashboard.ask(Self.page, method: .head)
        #expect((head.status, head.bytes) == (200, 0))
        #expect(head.lines == first.lines)
    }

    @Test func `nothing is kept where nobody knows the state of the store, or templates are worked on`() async throws {
        let (world, folder) = (World(), World())
        world.version.withLock { $0 = nil }
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web").standardized.path
        for dashboard in [
            try world.dashboard(), try folder.dashboard(DashboardConfiguration(webRoot: .folder(web))),
        ] {
            for _ in 0..<2 { #expect(await dashboard.ask(Self.page).status == 200) }
        }
        #expect(world.asked.withLock { $0 } == 2)
        #expect(folder.asked.withLock { $0 } == 2)
    }

    @Test func `the state of the store is not asked for anew as long as the last look is fresh`() async throws {
        let world = World()
        let patient = try world.dashboard(staleness: .seconds(3600))
        for _ in 0..<2 { #expect(await patient.ask(Self.page).status == 200) }
        world.version.withLock { $0 = StoreVersion(opening: 1, data: 2) }
        #expect(await patient.ask(Self.page).status == 200)
        #expect(world.asked.withLock { $0 } == 2)
    }

    @Test func `a look at the state is fresh for a while, and an older one replaces none`() {
        func state(_ data: Int64) -> AnswerCache.State {
            AnswerCache.State(store: StoreVersion(opening: 1, data: data), signs: nil, minute: 1)
        }
        let (first, second) = (state(1), state(2))
        let begin = ContinuousClock.now
        let memory = StateCache(age: .milliseconds(10))
        #expect(memory.state(at: begin) == nil)
        memory.see(second, at: begin + .milliseconds(2))
        memory.see(first, at: begin)
        #expect(memory.state(at: begin + .milliseconds(11)) == second)
        #expect(memory.state(at: begin + .milliseconds(12)) == nil)
        let forgetful = StateCache(age: .zero)
        forgetful.see(first, at: begin)
        #expect(forgetful.state(at: begin) == nil)
    }

    @Test func `those that were not asked for longest make room`() throws {
        let cache = AnswerCache(room: 40_000)
        let state = AnswerCache.State(store: StoreVersion(opening: 1, data: 1), signs: nil, minute: 1)
        func key(_ number: Int) -> AnswerCache.Key { AnswerCache.Key(authority: "localhost", target: "\(number)") }
        func kept() -> [Int] { (0..<6).filter { cache.answer(for: key($0), in: state) != nil } }
        #expect(cache.answer(for: key(0), in: state) == nil)
        let answer = try #require(PreparedAnswer(.page(Array(repeating: UInt8(ascii: "a"), count: 7_000))))
        for number in 0..<6 { cache.keep(answer, for: key(number), in: state) }
        #expect(kept() == [], "each was asked for once")
        for number in 0..<4 { cache.keep(answer, for: key(number), in: state) }
        #expect(kept() == [0, 1, 2, 3])
        #expect(cache.answer(for: key(0), in: state) != nil)
        cache.keep(answer, for: key(4), in: state)
        #expect(kept() == [0, 4])
        // What would take half of the room is never kept.
        let long = try #require(PreparedAnswer(.page(Array(repeating: UInt8(ascii: "a"), count: 18_000))))
        cache.keep(long, for: key(5), in: state)
        #expect(kept() == [0, 4])
        #expect(cache.answer(for: key(0), in: AnswerCache.State(store: state.store, signs: nil, minute: 2)) == nil)
        #expect(kept() == [])
    }

    @Test func `whoever goes through page after page has none of them kept`() throws {
        let cache = AnswerCache()
        let state = AnswerCache.State(store: StoreVersion(opening: 1, data: 1), signs: nil, minute: 1)
        let answer = try #require(PreparedAnswer(.page([1])))
        func keep(_ number: Int) -> Bool {
            let key = AnswerCache.Key(authority: "localhost", target: "\(number)")
            _ = cache.answer(for: key, in: state)
            cache.keep(answer, for: key, in: state)
            return cache.answer(for: key, in: state) != nil
        }
        for _ in 0..<2 {
            for number in 0..<1_000 { #expect(!keep(number)) }
        }
        #expect(keep(999))
        #expect(keep(700))
        #expect(!keep(400))
        #expect(keep(400))
    }
}
