extension TestMap {
    /// Unites the maps of parts of the tests of one tree: a function and a line are executed by the tests of all of them.
    public init(uniting maps: [TestMap]) {
        let tests = Set(maps.flatMap(\.tests)).sorted()
        var sets = UnitedSets(maps, tests)
        var files: [Name: [FunctionKey: [UnitedSets.Part<Function>]]] = [:]
        for (number, map) in maps.enumerated() {
            for file in map.files {
                for function in file.functions {
                    files[Name(file.path), default: [:]][FunctionKey(function), default: []]
                        .append(UnitedSets.Part(map: number, value: function))
                }
            }
        }
        let united = files.sorted { $0.key < $1.key }.map { path, functions in
            File(
                path: path.text,
                functions: functions.values.map { sets.united($0) }.sorted(by: Function.precedes))
        }
        let durations = Dictionary(maps.flatMap(\.durations), uniquingKeysWith: max)
        self.init(tests: tests, sets: sets.all, files: united, durations: durations)
    }
}

extension TestMap.Function {
    /// The order of functions in a file: by their first line, the outer one first.
    public static func precedes(_ left: TestMap.Function, _ right: TestMap.Function) -> Bool {
        (left.line, right.lastLine, Name(left.symbol)) < (right.line, left.lastLine, Name(right.symbol))
    }
}

/// What makes a function the same in two maps of one tree.
private struct FunctionKey: Hashable {
    let symbol: Name
    let line: Int32
    let lastLine: Int32

    init(_ function: TestMap.Function) {
        symbol = Name(function.symbol)
        line = function.line
        lastLine = function.lastLine
    }
}

/// The sets of tests of several maps, united and each once.
private struct UnitedSets {
    /// A value of one of the maps.
    struct Part<Value> {
        let map: Int
        let value: Value
    }

    /// A set of one of the maps.
    private struct Source: Hashable {
        let map: Int
        let set: Int
    }

    private let maps: [TestMap]
    /// The place among all tests of each test of a map.
    private let positions: [[Int32]]
    private var known: [[Source]: Int] = [:]
    private var numbers: [TestMap.TestSet: Int] = [:]
    private(set) var all: [TestMap.TestSet] = []

    init(_ maps: [TestMap], _ tests: [TestID]) {
        self.maps = maps
        let places = Dictionary(tests.enumerated().map { ($1, Int32($0)) }) { first, _ in first }
        positions = maps.map { map in map.tests.compactMap { places[$0] } }
    }

    /// One function for the same one in several maps.
    mutating func united(_ parts: [Part<TestMap.Function>]) -> TestMap.Function {
        var lines: [Int32: [Source]] = [:]
        for part in parts {
            for span in part.value.spans {
                for line in span.first...span.last {
                    lines[line, default: []].append(Source(map: part.map, set: span.set))
                }
            }
        }
        var function = parts[0].value
        function.set = number(of: parts.map { Source(map: $0.map, set: $0.value.set) })
        function.spans = []
        for (line, sources) in lines.sorted(by: { $0.key < $1.key }) {
            let set = number(of: sources)
            if let last = function.spans.last, last.last == line - 1, last.set == set {
                function.spans[function.spans.count - 1].last = line
            } else {
                function.spans.append(TestMap.Span(first: line, last: line, set: set))
            }
        }
        return function
    }

    private mutating func number(of sources: [Source]) -> Int {
        if let number = known[sources] { return number }
        var tests: Set<Int32> = []
        var hasOthers = false
        for source in sources {
            let set = maps[source.map].sets[source.set]
            tests.formUnion(set.tests.map { positions[source.map][Int($0)] })
            hasOthers = hasOthers || set.hasOthers
        }
        let set = TestMap.TestSet(tests: tests.sorted(), hasOthers: hasOthers)
        let number = numbers[set] ?? all.count
        if number == all.count { all.append(set) }
        numbers[set] = number
        known[sources] = number
        return number
    }
}
