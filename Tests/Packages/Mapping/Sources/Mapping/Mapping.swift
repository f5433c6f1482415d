package enum Shared {
    /// Is initialised by the test that happens to come first.
    package static let table = makeTable()
    /// Its initialisation uses the other one.
    package static let total = table.reduce(0, +)

    private static func makeTable() -> [Int] {
        (1...3).map { $0 * 2 }
    }
}

package func sign(of number: Int) -> String {
    if number < 0 {
        return "-"
    }
    return "+"
}

package func doubled(_ numbers: [Int]) -> [Int] {
    numbers.map {
        $0 * 2
    }
}

package func onlyInTheTool() -> Int {
    42
}

package func onlyInTheClass() -> Int {
    43
}

package func onlyInTheThread() -> Int {
    44
}

package func never() -> Int {
    45
}
