import Evidence

/// Reads the regions of one function and works out their counts.
///
/// The format is LLVM's coverage mapping, of which Swift writes a part: one file a function, regions of code, skipped ones
/// and gaps, counters and their sums and differences.
struct FunctionDecoder {
    private typealias Counter = FunctionFormula.Counter
    private typealias Kind = FunctionFormula.Kind

    private static let lastCounter = UInt64(UInt32.max) - 1
    private static let gapBit = 1 << 31

    /// The regions of the function that was read last, and how their counts come about.
    private(set) var formula = FunctionFormula()

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
        formula.expressions.removeAll(keepingCapacity: true)
        formula.expressions.append(contentsOf: repeatElement(FunctionFormula.Expression(), count: count))
        for index in 0..<count {
            formula.expressions[index].left = try counter(&cursor)
            formula.expressions[index].right = try counter(&cursor)
        }
        try readRegions(&cursor)
        guard cursor.isAtEnd else { throw .format }
        return file
    }

    private mutating func readRegions(_ cursor: inout ByteCursor) throws(MappingFault) {
        formula.regions.removeAll(keepingCapacity: true)
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
            formula.regions.append((MappedRegion(start: start, end: end, count: 0, kind: kind), counter))
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
        guard index < formula.expressions.count else { throw .format }
        let known = formula.expressions[index].kind
        guard known == Kind.none || known == kind else { throw .format }
        formula.expressions[index].kind = kind
    }

    /// Adds the regions with their counts to those of all functions, and answers the count of the first.
    mutating func count(
        with knowledge: ProfileCounters.Knowledge, to all: inout [MappedRegion]
    ) throws(MappingFault) -> UInt64 {
        let first = all.count
        switch knowledge {
        case .nothing: for (region, _) in formula.regions { all.append(region) }
        case .counters(let counters):
            // A dummy for a function that is not used here, and was called elsewhere: left out by llvm-cov.
            if formula.regions.count == 1, formula.regions[0].counter == 0, counters.first != 0 { throw .misfit }
            for index in formula.regions.indices {
                var region = formula.regions[index].region
                region.count = try formula.count(ofRegion: index, counters)
                all.append(region)
            }
        }
        return all[first].count
    }
}
