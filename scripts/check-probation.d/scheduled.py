"""Bugs that show in another order, where a task takes longer, or where no other thread of the pool is left."""

from bug import SOON, Bug


def blocking(name: str, state: str, block: str, release: str) -> Bug:
    """A task waits for another one as no task may: its thread does nothing meanwhile."""
    return Bug(name, "blocked pool", f"""public final class TYPE: @unchecked Sendable {{
{state}
    public init() {{}}

    private func block() {{
{block}    }}

    private func release() {{
{release}    }}

    public func run() async -> Int {{
        let task = Task {{ self.release() }}
        block()
        await task.value
        return 7
    }}
}}
""", ("let value = await TYPE().run()", "#expect(value == 7)"), (("        block()\n", ""),))


BLOCKED = [
    blocking("semaphore", "    private let done = DispatchSemaphore(value: 0)\n", "        done.wait()\n", "        done.signal()\n"),
    blocking("condition", "    private let condition = NSCondition()\n    private var isDone = false\n",
             "        condition.lock()\n        while !isDone { condition.wait() }\n        condition.unlock()\n",
             "        condition.lock()\n        isDone = true\n        condition.signal()\n        condition.unlock()\n"),
    blocking("polling", "    private let lock = NSLock()\n    private var isDone = false\n",
             "        while !lock.withLock({ isDone }) { usleep(1_000) }\n", "        lock.withLock { isDone = true }\n"),
    blocking("group", "    private let group = DispatchGroup()\n", "        group.wait()\n", "        group.leave()\n"),
    blocking("queue", '    private let queue = DispatchQueue(label: "a queue")\n    private let done = DispatchSemaphore(value: 0)\n',
             "        queue.sync { done.wait() }\n", "        done.signal()\n"),
]
# A group has to be entered before somebody waits for it.
BLOCKED[3] = BLOCKED[3]._replace(subject=BLOCKED[3].subject.replace("public init() {}", "public init() { group.enter() }"))

UNORDERED = [
    Bug("log", "unordered tasks", """public actor TYPE {
    public private(set) var lines: [Int] = []
    private var last: Task<Void, Never>?

    public init() {}

    public func log(_ line: Int) -> Task<Void, Never> {
        let task = Task { await self.write(line) }
        last = task
        return task
    }

    private func write(_ line: Int) async {
        await distant()
        lines.append(line)
    }
}
""", ("let log = TYPE()", "let one = await log.log(1)", "let other = await log.log(2)", "await one.value", "await other.value",
      "let lines = await log.lines", "#expect(lines == [1, 2])"),
        (("let task = Task { await self.write(line) }", "let before = last\n        let task = Task {\n            await before?.value\n"
          "            await self.write(line)\n        }"),)),
    Bug("squares", "unordered tasks", """public struct TYPE: Sendable {
    public init() {}

    public func squares(of values: [Int]) async -> [Int] {
        await withTaskGroup(of: (Int, Int).self) { group in
            for (index, value) in values.enumerated() {
                group.addTask {
                    await distant()
                    return (index, value * value)
                }
            }
            var results: [(Int, Int)] = []
            for await result in group { results.append(result) }
            return results.map { $0.1 }
        }
    }
}
""", ("let squares = await TYPE().squares(of: [1, 2])", "#expect(squares == [1, 4])"),
        (("return results.map", "return results.sorted { $0.0 < $1.0 }.map"),)),
    Bug("stream", "unordered tasks", """public struct TYPE: Sendable {
    public init() {}

    public func events() -> AsyncStream<Int> {
        AsyncStream { continuation in
            for number in 1...2 {
                Task {
                    await distant()
                    continuation.yield(number)
                }
            }
        }
    }
}
""", ("var seen: [Int] = []", "for await event in TYPE().events() {", "    seen.append(event)", "    if seen.count == 2 { break }", "}",
      "#expect(seen == [1, 2])"),
        (("for number in 1...2 {\n                Task {\n                    await distant()\n                    continuation.yield(number)\n"
          "                }\n            }",
          "Task {\n                for number in 1...2 {\n                    await distant()\n                    continuation.yield(number)\n"
          "                }\n            }"),)),
    Bug("document", "unordered tasks", """public actor TYPE {
    public private(set) var text = ""
    private var last: Task<Void, Never>?

    public init() {}

    public func save(_ text: String) -> Task<Void, Never> {
        let task = Task { await self.store(text) }
        last = task
        return task
    }

    private func store(_ text: String) async {
        await distant()
        self.text = text
    }
}
""", ("let document = TYPE()", 'let one = await document.save("old")', 'let other = await document.save("new")', "await one.value",
      "await other.value", "let text = await document.text", '#expect(text == "new")'),
        (("let task = Task { await self.store(text) }", "let before = last\n        let task = Task {\n            await before?.value\n"
          "            await self.store(text)\n        }"),)),
    Bug("counter", "unordered tasks", """public actor TYPE {
    public private(set) var value = 0

    public init() {}

    private func add() async {
        await distant()
        value += 1
    }

    public func count() async {
        Task { await self.add() }
    }
}
""", ("let counter = TYPE()", "await counter.count()", SOON, "let value = await counter.value", "#expect(value == 1)"),
        (("Task { await self.add() }", "await add()"),)),
]

SHORT = [
    Bug("worker", "short timer", """public actor TYPE {
    public private(set) var isDone = false

    public init() {}

    public func begin() -> Task<Void, Never> { Task { await self.work() } }

    private func work() async {
        await distant()
        isDone = true
    }
}
""", ("let worker = TYPE()", "let work = await worker.begin()", SOON, "let isDone = await worker.isDone", "#expect(isDone)", "await work.value"),
        (), ((SOON, "await work.value"),)),
    Bug("limit", "short timer", """public struct TYPE: Sendable {
    public init() {}

    public func value() async -> Int? {
        await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                await distant()
                return 7
            }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(10))
                return nil
            }
            let first: Int? = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
""", ("let value = await TYPE().value()", "#expect(value == 7)"), ((".milliseconds(10)", ".seconds(60)"),)),
    Bug("jobs", "short timer", """public struct TYPE: Sendable {
    public init() {}

    private static func block() { usleep(100_000) }

    public func duration() async -> Duration {
        let begin = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { Self.block() } }
        }
        return ContinuousClock.now - begin
    }
}
""", ("let duration = await TYPE().duration()", "#expect(duration < Duration.milliseconds(180))"), (),
        ((".milliseconds(180)", ".seconds(60)"),)),
    Bug("beat", "short timer", """public struct TYPE: Sendable {
    public init() {}

    private static func hog() { usleep(100_000) }

    public func beat() async throws -> Duration {
        async let busy: Void = Self.work()
        let begin = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(20))
        let duration = ContinuousClock.now - begin
        await busy
        return duration
    }

    private static func work() async { hog() }
}
""", ("let beat = try await TYPE().beat()", "#expect(beat < Duration.milliseconds(80))"), (),
        ((".milliseconds(80)", ".seconds(60)"),)),
    Bug("readiness", "short timer", """public actor TYPE {
    public private(set) var isReady = false

    public init() {}

    public func prepare() async {
        await distant()
        isReady = true
    }

    public func becomesReady() async -> Bool {
        for _ in 0..<5 {
            if isReady { return true }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return isReady
    }
}
""", ("let service = TYPE()", "async let prepared: Void = service.prepare()", "let isReady = await service.becomesReady()", "await prepared",
      "#expect(isReady)"), (("for _ in 0..<5", "for _ in 0..<5_000"),)),
]
