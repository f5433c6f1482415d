/// Reads the regions of one function and works out their counts.
///
/// The format is LLVM's coverage mapping, of which Swift writes a part: one file a function, regions of code, skipped ones
/// and gaps, counters and their sums and differences.
struct FunctionDecoder {
    /// A number that says how a count comes about: its lowest two bits what it is, the others which.
    private typealias Counter = UInt32

    private enum Kind {
        static let none: Counter = 0
        static let counter: Counter = 1
        static let difference: Counter = 2
        static let sum: Counter = 3
    }

    private struct Expression {
        var left: Counter = 0
        var right: Counter = 0
        /// `none` until the expression is named somewhere, which says what it is.
        var kind = Kind.none
        var value: UInt64?
    }

    private static let lastCounter = UInt64(UInt32.max) - 1
    private static let gapBit = 1 << 31
    /// Deeper than any real expression; one that holds itself has no end.
    private static let deepest = 1000

    private var expressions: [Expression] = []
    private var regions: [(region: MappedRegion, counter: Counter)] = []

    init() {}

    /// Reads the number of the function's file, expressions and regions.
    ///
    /// - Parameter files: How many names of files the object has.
    mutating func read(_ mapping: UnsafeRawBufferPointer, files: Int) throws(MappingFault) -> Int {
        var cursor = ByteCursor(mapping)
        guard try cursor.number() == 1 else { throw .paths }
        let file = try cursor.number(upTo: UInt64(UInt32.max))
        guard file < files else { throw .format }
        let count = try cursor.number(upTo: UInt64(mapping.count))
        expressions.removeAll(keepingCapacity: true)
        expressions.append(contentsOf: repeatElement(Expression(), count: count))
        for index in 0..<count {
            expressions[index].left = try counter(&cursor)
            expressions[index].right = try counter(&cursor)
        }
        try readRegions(&cursor)
        guard cursor.isAtEnd else { throw .format }
        return file
    }

    private mutating func readRegions(_ cursor: inout ByteCursor) throws(MappingFault) {
        regions.removeAll(keepingCapacity: true)
        let count = try cursor.number(upTo: UInt64(cursor.bytes.count))
        guard count > 0, count <= CoverageLimit.segmentsOfFile else { throw .region }
        var line = 0
        for _ in 0..<count {
            let head = Counter(try cursor.number(upTo: Self.lastCounter))
            var kind = MappedRegion.Kind.code
            if head & 3 != Kind.none {
                try note(head)
            } else {
                // What is neither code nor skipped comes of macros and conditions of C.
                guard head & 4 == 0, let known = MappedRegion.Kind(rawValue: UInt8(truncatingIfNeeded: head >> 3)),
                    head >> 3 <= 2
                else { throw .region }
                kind = known
            }
            line += try cursor.number(upTo: CoverageLimit.lineNumber)
            let column = try cursor.number(upTo: CoverageLimit.columnNumber)
            let endLine = line + (try cursor.number(upTo: CoverageLimit.lineNumber))
            var endColumn = try cursor.number(upTo: Self.lastCounter)
            if endColumn & Self.gapBit != 0 {
                kind = .gap
                endColumn &= ~Self.gapBit
            }
            // Without columns it would be whole lines, which Swift does not write.
            guard line > 0, endLine <= CoverageLimit.lineNumber, column > 0 else { throw .region }
            let start = MappedRegion.Place(line: line, column: column)
            let end = MappedRegion.Place(line: endLine, column: endColumn)
            guard start <= end else { throw .region }
            let counter = head & 3 == Kind.none ? 0 : head
            regions.append((MappedRegion(start: start, end: end, count: 0, kind: kind), counter))
        }
    }

    private mutating func counter(_ cursor: inout ByteCursor) throws(MappingFault) -> Counter {
        let counter = Counter(try cursor.number(upTo: Self.lastCounter))
        try note(counter)
        return counter
    }

    /// Notes down what an expression is, wherever it is named.
    private mutating func note(_ counter: Counter) throws(MappingFault) {
        let kind = counter & 3
        guard kind == Kind.difference || kind == Kind.sum else { return }
        let index = Int(counter >> 2)
        guard index < expressions.count else { throw .format }
        guard expressions[index].kind == Kind.none || expressions[index].kind == kind else { throw .format }
        expressions[index].kind = kind
    }

    /// Adds the regions with their counts to those of all functions, and answers the count of the first.
    mutating func count(
        with knowledge: ProfileCounters.Knowledge, to all: inout [MappedRegion]
    ) throws(MappingFault) -> UInt64 {
        let first = all.count
        switch knowledge {
        case .nothing: for (region, _) in regions { all.append(region) }
        case .counters(let counters):
            // A dummy for a function that is not used here, and was called elsewhere: left out by llvm-cov.
            if regions.count == 1, regions[0].counter == 0, counters.first != 0 { throw .misfit }
            for index in regions.indices {
                var region = regions[index].region
                region.count = try value(regions[index].counter, counters, depth: 0)
                all.append(region)
            }
        }
        return all[first].count
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
