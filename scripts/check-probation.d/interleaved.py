"""Bugs that show when another task comes between: where a call is slow, which one of ten is."""

from bug import SOON, Bug

LOST = [
    Bug("mailbox", "lost continuation", """public actor TYPE {
    private var value: Int?
    private var waiter: CheckedContinuation<Int, Never>?

    public init() {}

    public func receive() async -> Int {
        if let value { return value }
        await distant()
        return await withCheckedContinuation { waiter = $0 }
    }

    public func send(_ value: Int) {
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: value)
        } else {
            self.value = value
        }
    }
}
""", ("let box = TYPE()", "async let received = box.receive()", SOON, "await box.send(7)", "let value = await received", "#expect(value == 7)"),
        (("await distant()\n        return", "await distant()\n        if let value { return value }\n        return"),)),
    Bug("gate", "lost continuation", """public actor TYPE {
    public private(set) var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    public init() {}

    public func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    public func open() async {
        let released = waiters
        waiters = []
        await distant()
        isOpen = true
        for waiter in released { waiter.resume() }
    }
}
""", ("let gate = TYPE()", "async let opened: Void = gate.open()", SOON, "await gate.pass()", "await opened", "let isOpen = await gate.isOpen",
      "#expect(isOpen)"),
        (("let released = waiters\n        waiters = []\n        await distant()\n", "await distant()\n        let released = waiters\n"
          "        waiters = []\n"),)),
    Bug("desk", "lost continuation", """public actor TYPE {
    private var waiter: CheckedContinuation<Int, Never>?
    private var requests = 0

    public init() {}

    public func ask() async -> Int {
        requests += 1
        let number = requests
        return await withCheckedContinuation { continuation in
            waiter = continuation
            Task { await self.answer(number) }
        }
    }

    private func answer(_ number: Int) async {
        await distant()
        waiter?.resume(returning: number)
        waiter = nil
    }
}
""", ("let desk = TYPE()", "async let early = desk.ask()", SOON, "let late = await desk.ask()", "let answers = await Set([early, late])",
      "#expect(answers == [1, 2])"),
        (("private var waiter: CheckedContinuation<Int, Never>?", "private var waiters: [Int: CheckedContinuation<Int, Never>] = [:]"),
         ("waiter = continuation", "waiters[number] = continuation"),
         ("waiter?.resume(returning: number)\n        waiter = nil", "waiters.removeValue(forKey: number)?.resume(returning: number)"))),
    Bug("callback", "lost continuation", """public struct TYPE: Sendable {
    public init() {}

    private func load(_ done: @escaping @Sendable (Int?) -> Void) {
        let answer: Int? = Int.random(in: 0..<10) == 0 ? nil : 7
        DispatchQueue.global().async { done(answer) }
    }

    public func value() async -> Int {
        await withCheckedContinuation { continuation in
            load { answer in
                guard let answer else { return }
                continuation.resume(returning: answer)
            }
        }
    }
}
""", ("let value = await TYPE().value()", "#expect(value == 7)"),
        (("guard let answer else { return }\n                continuation.resume(returning: answer)",
          "continuation.resume(returning: answer ?? 7)"),)),
    Bug("event", "lost continuation", """public actor TYPE {
    private var isSet = false
    private var waiter: CheckedContinuation<Void, Never>?

    public init() {}

    public func wait() async {
        await distant()
        isSet = false
        await withCheckedContinuation { waiter = $0 }
    }

    public func signal() {
        isSet = true
        waiter?.resume()
        waiter = nil
    }
}
""", ("let event = TYPE()", "async let waited: Void = event.wait()", SOON, "await event.signal()", "await waited"),
        (("isSet = false\n        await withChecked", "if isSet { return }\n        await withChecked"),)),
]

CHECKED = [
    Bug("account", "check-then-act", """public actor TYPE {
    public private(set) var balance = 100

    public init() {}

    public func withdraw(_ amount: Int) async -> Bool {
        guard balance >= amount else { return false }
        await distant()
        balance -= amount
        return true
    }
}
""", ("let account = TYPE()", "async let one = account.withdraw(80)", "async let other = account.withdraw(80)", "let paid = await [one, other]",
      "let balance = await account.balance", "#expect(paid.filter { $0 }.count == 1)", "#expect(balance == 20)"),
        (("await distant()\n        balance -= amount", "balance -= amount\n        await distant()"),)),
    Bug("cache", "check-then-act", """public actor TYPE {
    private var kept: Int?
    public private(set) var fetches = 0

    public init() {}

    public func value() async -> Int {
        if let kept { return kept }
        let value = await fetch()
        kept = value
        return value
    }

    private func fetch() async -> Int {
        fetches += 1
        await distant()
        return 7
    }
}
""", ("let cache = TYPE()", "async let one = cache.value()", "async let other = cache.value()", "let values = await [one, other]",
      "let fetches = await cache.fetches", "#expect(values == [7, 7])", "#expect(fetches == 1)"),
        (("private var kept: Int?", "private var kept: Task<Int, Never>?"),
         ("if let kept { return kept }", "if let kept { return await kept.value }"),
         ("let value = await fetch()\n        kept = value\n        return value",
          "let task = Task { await self.fetch() }\n        kept = task\n        return await task.value"))),
    Bug("numbers", "check-then-act", """public actor TYPE {
    private var last = 0

    public init() {}

    public func next() async -> Int {
        let number = last + 1
        await distant()
        last = number
        return number
    }
}
""", ("let numbers = TYPE()", "async let one = numbers.next()", "async let other = numbers.next()", "let drawn = await [one, other]",
      "#expect(Set(drawn).count == 2)"),
        (("await distant()\n        last = number", "last = number\n        await distant()"),)),
    Bug("seats", "check-then-act", """public actor TYPE {
    private var names: [Int: String] = [:]

    public init() {}

    public func reserve(_ seat: Int, for name: String) async -> Bool {
        guard names[seat] == nil else { return false }
        await distant()
        names[seat] = name
        return true
    }
}
""", ("let seats = TYPE()", 'async let one = seats.reserve(3, for: "Ada")', 'async let other = seats.reserve(3, for: "Bo")',
      "let reserved = await [one, other]", "#expect(reserved.filter { $0 }.count == 1)"),
        (("await distant()\n        names[seat] = name", "names[seat] = name\n        await distant()"),)),
    Bug("connection", "check-then-act", """public actor TYPE {
    private var isOpen = false
    public private(set) var count = 0

    public init() {}

    public func open() async {
        guard !isOpen else { return }
        await distant()
        isOpen = true
        count += 1
    }
}
""", ("let connection = TYPE()", "async let one: Void = connection.open()", "async let other: Void = connection.open()", "await one", "await other",
      "let count = await connection.count", "#expect(count == 1)"),
        (("await distant()\n        isOpen = true", "isOpen = true\n        await distant()"),)),
]

REENTERED = [
    Bug("total", "reentrancy", """public actor TYPE {
    public private(set) var value = 0

    public init() {}

    public func add() async {
        let before = value
        await distant()
        value = before + 1
    }
}
""", ("let total = TYPE()", "async let one: Void = total.add()", "async let other: Void = total.add()", "await one", "await other",
      "let value = await total.value", "#expect(value == 2)"),
        (("let before = value\n        await distant()\n        value = before + 1", "await distant()\n        value += 1"),)),
    Bug("buffer", "reentrancy", """public actor TYPE {
    private var pending: [Int] = []
    public private(set) var sent: [Int] = []

    public init() {}

    public func add(_ item: Int) { pending.append(item) }

    public func flush() async {
        let batch = pending
        await distant()
        pending = []
        sent += batch
    }
}
""", ("let buffer = TYPE()", "await buffer.add(1)", "async let flushed: Void = buffer.flush()", SOON, "await buffer.add(2)", "await flushed",
      "await buffer.flush()", "let sent = await buffer.sent", "#expect(sent == [1, 2])"),
        (("await distant()\n        pending = []", "pending = []\n        await distant()"),)),
    Bug("machine", "reentrancy", """public actor TYPE {
    public enum State: Sendable {
        case idle, starting, running
    }

    public private(set) var state = State.idle

    public init() {}

    public func start() async {
        state = .starting
        await distant()
        state = .running
    }

    public func stop() { state = .idle }
}
""", ("let machine = TYPE()", "async let started: Void = machine.start()", "while await machine.state == .idle {",
      "    try await Task.sleep(for: .milliseconds(1))", "}", "await machine.stop()", "await started", "let state = await machine.state",
      "#expect(state == .idle)"),
        (("await distant()\n        state = .running", "await distant()\n        if state == .starting { state = .running }"),)),
    Bug("cart", "reentrancy", """public actor TYPE {
    private var prices = [1, 2, 3]

    public init() {}

    public func total() async -> Int {
        var sum = 0
        for index in prices.indices {
            if index == 1 { await distant() }
            sum += prices[index]
        }
        return sum
    }

    public func clear() { prices = [] }
}
""", ("let cart = TYPE()", "async let total = cart.total()", SOON, "await cart.clear()", "let sum = await total", "#expect([0, 6].contains(sum))"),
        (("var sum = 0\n", "var sum = 0\n        let prices = self.prices\n"),)),
    Bug("bank", "reentrancy", """public actor TYPE {
    private var left = 100
    private var right = 0
    public var sum: Int { left + right }

    public init() {}

    public func move(_ amount: Int) async {
        left -= amount
        await distant()
        right += amount
    }
}
""", ("let bank = TYPE()", "async let moved: Void = bank.move(10)", SOON, "let sum = await bank.sum", "await moved", "#expect(sum == 100)"),
        (("left -= amount\n        await distant()", "await distant()\n        left -= amount"),)),
]
