/// The regions of a function, and how their counts come about: LLVM's counter expressions.
struct FunctionFormula {
    /// A number that says how a count comes about: its lowest two bits what it is, the others which.
    typealias Counter = UInt32

    enum Kind {
        static let none: Counter = 0
        static let counter: Counter = 1
        static let difference: Counter = 2
        static let sum: Counter = 3
    }

    struct Expression {
        var left: Counter = 0
        var right: Counter = 0
        /// `none` until the expression is named somewhere, which says what it is.
        var kind = Kind.none
        var value: UInt64?
    }

    /// Deeper than any real expression; one that holds itself has no end.
    private static let deepest = 1000

    var expressions: [Expression] = []
    /// The regions, with a count of 0.
    var regions: [(region: MappedRegion, counter: Counter)] = []

    /// Forgets what was worked out, so that other counters can be asked about.
    mutating func reset() { for index in expressions.indices { expressions[index].value = nil } }

    /// How often a region was executed, by these counters.
    ///
    /// - Throws: `MappingFault.misfit` for counters of another build.
    mutating func count(
        ofRegion index: Int, _ counters: ArraySlice<UInt64>
    ) throws(MappingFault) -> UInt64 {
        try value(regions[index].counter, counters, depth: 0)
    }

    /// Works out a count as LLVM does, without regard to what a number holds.
    private mutating func value(
        _ counter: Counter, _ counters: ArraySlice<UInt64>, depth: Int
    ) throws(MappingFault) -> UInt64 {
        let index = Int(counter >> 2)
        switch counter & 3 {
        case Kind.none: return 0
        case Kind.counter:
            // The profile is of another build: llvm-cov leaves the function out.
            guard index < counters.count else { throw .misfit }
            return counters[counters.startIndex + index]
        default:
            if let value = expressions[index].value { return value }
            guard depth < Self.deepest else { throw .limit }
            let left = try value(expressions[index].left, counters, depth: depth + 1)
            let right = try value(expressions[index].right, counters, depth: depth + 1)
            let value = expressions[index].kind == Kind.sum ? left &+ right : left &- right
            expressions[index].value = value
            return value
        }
    }
}
