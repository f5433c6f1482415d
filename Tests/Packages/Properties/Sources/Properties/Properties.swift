package enum Shared {
    package static let table = makeTable()

    private static func makeTable() -> [Int] {
        (1...3).map { $0 * 2 }
    }
}

package struct Subject {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }

    package func isOdd() -> Bool {
        number % 2 == 1
    }
}

package func onlyInAnInitialiser() -> Int {
    1
}
