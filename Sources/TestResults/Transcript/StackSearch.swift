import RunModel

/// Finds the functions of tests on the stacks of a crash.
///
/// Many tests may be running when a process ends, and its stacks may be long: a function that is on several of them is looked at
/// once, and the work for all tests together has a limit.
struct StackSearch {
    /// The text of a frame, where `(` is in it, and the first thread that has it.
    private struct Entry {
        let text: [UInt8]
        let brackets: [Int]
        let thread: Int
    }

    /// How many bytes are compared at most.
    static let mostSteps = 100_000_000

    private var entries: [Entry] = []
    private var stepsLeft: Int

    init(_ threads: [[Crash.Frame]], steps: Int = StackSearch.mostSteps) {
        stepsLeft = steps
        var seen: Set<Name> = []
        for (number, frames) in threads.enumerated() {
            for frame in frames where seen.insert(Name(frame.function)).inserted {
                let text = Array(frame.function.utf8)
                let brackets: [Int] = text.indices.filter { text[$0] == UInt8(ascii: "(") }
                entries.append(Entry(text: text, brackets: brackets, thread: number))
            }
        }
    }

    /// The first thread on whose stack a test's function is: `Suite.function(argument:)` with types the identity does not hold.
    /// `nil` for none, and for all tests after those that used up the steps.
    mutating func thread(of test: TestID) -> Int? {
        let stem = test.name.prefix { $0 != "(" }
        let suite = test.suite.split(separator: "/").last.map { "\($0)." } ?? ""
        let wanted = Array("\(suite)\(stem)".utf8)
        for entry in entries {
            for bracket in entry.brackets {
                var (place, rest) = (bracket, wanted.count)
                stepsLeft -= 1
                while place > 0, rest > 0, entry.text[place - 1] == wanted[rest - 1] {
                    place -= 1
                    rest -= 1
                    stepsLeft -= 1
                }
                guard stepsLeft >= 0 else { return nil }
                if rest == 0 { return entry.thread }
            }
        }
        return nil
    }
}
