package import RunModel

/// Works out which tests execute which functions and lines, from the records of the processes of a run.
///
/// The counts of each test are what llvm-cov would show if it had run alone: the same expressions over its own counters. Of a
/// function only the regions count that were executed; what tests have in common is kept once.
package struct TestMapBuilder {
    /// The regions of a function that were executed together, and by which tests, in the order in which they were added.
    private struct Pattern {
        var regions: RegionSet
        var tests: [Int32] = []
        var hasOthers = false
    }

    private let mapping: CoverageMapping
    private var formulas: [FunctionFormula]
    /// Relative paths by number of the mapping's path; `nil` for what is no source of an own target.
    private let paths: [String?]
    private var functions: [UInt64: [Int]] = [:]
    /// By the number of the function.
    private var patterns: [[Pattern]]
    private var places: [[RegionSet: Int]]
    private var numbers: [TestID: Int32] = [:]
    private var tests: [TestID] = []

    /// Makes a builder without any test.
    ///
    /// - Parameters:
    ///   - mapping: The functions of the run; it must have kept its formulas.
    ///   - relative: The path of an own source relative to the package; `nil` for any other file.
    package init(_ mapping: CoverageMapping, relative: (String) -> String?) {
        self.mapping = mapping
        formulas = mapping.formulas
        paths = mapping.paths.map(relative)
        patterns = Array(repeating: [], count: mapping.functions.count)
        places = Array(repeating: [:], count: mapping.functions.count)
        for (index, function) in mapping.functions.enumerated() where paths[function.file] != nil {
            functions[function.digest, default: []].append(index)
        }
    }

    /// Adds the tests of one process and of those that it started, but for tests of which it is not known all that they executed:
    /// those that overlapped, and those that started a program that was killed before it could tell. Of one that no test started
    /// nobody knows whose tests need it.
    ///
    /// - Parameters:
    ///   - processes: The first one, and the others in any order.
    ///   - id: The identity of a test by the name that its library gives it.
    /// - Throws: `MappingFault` for records that contradict the objects of the run.
    package mutating func add(
        _ processes: [RecordedProcess], id: (String) -> TestID?
    ) throws(MappingFault) {
        guard let first = processes.first else { return }
        let interrupted = processes.filter(\.isInterrupted).map(\.records.open)
        if interrupted.contains(nil) { return }
        let unclear = first.records.overlapping.union(interrupted.compactMap(\.self))
        var others = first.records.cases
        for (number, name) in first.records.tests.sorted(by: { $0.key < $1.key }) where !unclear.contains(number) {
            guard let id = id(name) else { continue }
            let test = self.number(of: id)
            for number in [number] + (others.removeValue(forKey: name) ?? []) {
                try add(processes, .test(number), used: number) { if $0.tests.last != test { $0.tests.append(test) } }
            }
        }
        try add(processes, .nobody, used: 0) { $0.hasOthers = true }
        // Of tests that did not run, and of those of which it is not known all that they executed.
        for number in others.values.joined() {
            try add(processes, .test(number), used: number) { $0.hasOthers = true }
        }
    }

    private mutating func number(of id: TestID) -> Int32 {
        if let number = numbers[id] { return number }
        let number = Int32(tests.count)
        numbers[id] = number
        tests.append(id)
        return number
    }

    /// Adds what an owner did in all processes, with what the initialisers did that it used.
    private mutating func add(
        _ processes: [RecordedProcess], _ owner: TestRecords.Owner, used number: UInt32, _ note: (inout Pattern) -> Void
    ) throws(MappingFault) {
        var sums = IncrementSums()
        for process in processes {
            sums.add(process, process.records.increments[owner])
            for initialiser in process.initialisers(usedBy: number) {
                let source = initialiser < process.records.inherited ? processes[0] : process
                sums.add(source, source.records.increments[.initialiser(initialiser)])
            }
        }
        try sums.each { name, counters throws(MappingFault) in
            for function in functions[name] ?? [] { try add(function, counters, note) }
        }
    }

    private mutating func add(
        _ function: Int, _ counters: ArraySlice<UInt64>, _ note: (inout Pattern) -> Void
    ) throws(MappingFault) {
        formulas[function].reset()
        var regions = RegionSet()
        for index in formulas[function].regions.indices
        where try formulas[function].count(ofRegion: index, counters) > 0 { regions.insert(index) }
        guard !regions.isEmpty else { return }
        if let place = places[function][regions] {
            note(&patterns[function][place])
        } else {
            places[function][regions] = patterns[function].count
            patterns[function].append(Pattern(regions: regions))
            note(&patterns[function][patterns[function].count - 1])
        }
    }

    /// The map of all tests that were added.
    package func map() -> TestMap {
        let order = tests.indices.sorted { tests[$0] < tests[$1] }
        var positions = [Int32](repeating: 0, count: tests.count)
        for (position, test) in order.enumerated() { positions[test] = Int32(position) }
        var sets = TestSets(positions)
        var files: [Name: [TestMap.Function]] = [:]
        let executed = patterns.indices.filter { !patterns[$0].isEmpty }
        let byFile = Dictionary(grouping: executed) { mapping.functions[$0].file }
        for (file, executed) in byFile {
            guard let path = paths[file] else { continue }
            let inner = NestedFunctions(file, mapping)
            var lines = ExecutedLines()
            for function in executed {
                files[Name(path), default: []].append(self.function(function, inner, &lines, &sets))
            }
        }
        return TestMap(
            tests: order.map { tests[$0] }, sets: sets.all,
            files: files.sorted { $0.key < $1.key }.map { path, functions in
                TestMap.File(path: path.text, functions: functions.sorted(by: TestMap.Function.precedes))
            })
    }

    private func function(
        _ number: Int, _ inner: NestedFunctions, _ executed: inout ExecutedLines, _ sets: inout TestSets
    ) -> TestMap.Function {
        let function = mapping.functions[number]
        let own = patterns[number]
        let holes = inner.regions(inside: number)
        var lines: [Int32: [Int]] = [:]
        for (index, pattern) in own.enumerated() {
            let regions =
                holes
                + formulas[number].regions.enumerated().map { index, entry in
                    var region = entry.region
                    region.count = pattern.regions.contains(index) ? 1 : 0
                    return region
                }
            for line in executed.lines(of: regions) { lines[line, default: []].append(index) }
        }
        var spans: [TestMap.Span] = []
        var known: [[Int]: Int] = [:]
        for (line, indices) in lines.sorted(by: { $0.key < $1.key }) {
            let set = known[indices] ?? sets.number(of: indices.map { (own[$0].tests, own[$0].hasOthers) })
            known[indices] = set
            if let last = spans.last, last.last == line - 1, last.set == set {
                spans[spans.count - 1].last = line
            } else {
                spans.append(TestMap.Span(first: line, last: line, set: set))
            }
        }
        let outline = formulas[number].regions.map(\.region)
        let symbol = mapping.names.text[function.name]
        return TestMap.Function(
            symbol: String(decoding: symbol, as: UTF8.self), line: outline.map(\.start.line).min() ?? 0,
            lastLine: outline.map(\.end.line).max() ?? 0,
            set: sets.number(of: own.map { ($0.tests, $0.hasOthers) }), spans: spans)
    }
}

/// The lines that regions execute, by llvm-cov's rule; the memory is used again.
private struct ExecutedLines {
    private var builder = SegmentBuilder()
    private var fold = SegmentFold()

    mutating func lines(of regions: [MappedRegion]) -> [Int32] {
        builder.removeAll()
        builder.add(regions[...])
        builder.build()
        fold.reset()
        for segment in builder.segments {
            fold.add(
                SegmentFold.Segment(
                    line: segment.start.line, column: segment.start.column, count: segment.count,
                    hasCount: segment.hasCount, isRegionEntry: segment.isRegionEntry,
                    isGapRegion: segment.isGapRegion))
        }
        fold.finish()
        return fold.lines.filter(\.count.isCovered).map(\.line)
    }
}

/// Regions of a function by number; hardly a function has more than 64.
private struct RegionSet: Hashable {
    private var first: UInt64 = 0
    private var others: Set<Int> = []

    var isEmpty: Bool { first == 0 && others.isEmpty }

    mutating func insert(_ index: Int) {
        if index < 64 { first |= 1 << UInt64(index) } else { others.insert(index) }
    }

    func contains(_ index: Int) -> Bool { index < 64 ? first & 1 << UInt64(index) != 0 : others.contains(index) }
}

/// The functions inside of others, such as closures: their lines are theirs alone.
private struct NestedFunctions {
    private let outlines: [(function: Int, region: MappedRegion)]

    init(_ file: Int, _ mapping: CoverageMapping) {
        outlines = mapping.functions.indices.filter { mapping.functions[$0].file == file }
            .map { ($0, mapping.formulas[$0].regions[0].region) }
            .sorted { $0.1.start < $1.1.start }
    }

    /// The regions, not executed, that lie inside of a function and are not its own.
    func regions(inside number: Int) -> [MappedRegion] {
        guard let outer = outlines.first(where: { $0.function == number })?.region else { return [] }
        var found: [MappedRegion] = []
        for (function, region) in outlines where function != number {
            guard region.start < outer.end else { break }
            let isSame = region.start == outer.start && region.end == outer.end
            if region.start >= outer.start, region.end <= outer.end, !isSame { found.append(region) }
        }
        return found
    }
}

/// The sets of tests of a map, each once.
private struct TestSets {
    private let positions: [Int32]
    private var numbers: [TestMap.TestSet: Int] = [:]
    private(set) var all: [TestMap.TestSet] = []

    init(_ positions: [Int32]) { self.positions = positions }

    /// The number of a union.
    mutating func number(of parts: [(tests: [Int32], hasOthers: Bool)]) -> Int {
        var tests: Set<Int32> = []
        for part in parts { tests.formUnion(part.tests) }
        let set = TestMap.TestSet(
            tests: tests.map { positions[Int($0)] }.sorted(), hasOthers: parts.contains { $0.hasOthers })
        if let number = numbers[set] { return number }
        numbers[set] = all.count
        all.append(set)
        return all.count - 1
    }
}
