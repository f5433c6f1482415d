extension TestMap {
    /// What is known of a line.
    public struct LineAnswer: Sendable, Hashable {
        /// The functions around the line, the innermost last; empty where no executed function is.
        public var functions: [Function]
        /// The tests that execute the line, ascending; empty where only others do, or nobody.
        public var tests: [TestID]
        /// Whether code outside of any test executes it.
        public var hasOthers: Bool
        /// The tests that execute the innermost function, ascending.
        public var testsOfFunction: [TestID]
    }

    /// A source as one test executes it.
    public struct ExecutedFile: Sendable, Hashable {
        /// Relative to the package.
        public var path: String
        /// The functions of which it executes any part.
        public var functions: Int
        /// The lines, ascending and apart.
        public var lines: [ClosedRange<Int32>]

        package init(path: String, functions: Int, lines: [ClosedRange<Int32>]) {
            (self.path, self.functions, self.lines) = (path, functions, lines)
        }

        /// How many lines there are.
        public var lineCount: Int { lines.reduce(0) { $0 + $1.count } }
    }

    /// A file by its path.
    public func file(_ path: String) -> File? { files.first { Name($0.path) == Name(path) } }

    /// The tests of a set.
    public func tests(of set: Int) -> [TestID] { sets[set].tests.map { tests[Int($0)] } }

    /// Which tests execute a line; `nil` for a file of which no function was executed.
    public func answer(_ path: String, line: Int32) -> LineAnswer? {
        guard let file = file(path) else { return nil }
        let around = file.functions.filter { $0.line <= line && line <= $0.lastLine }
            .sorted { ($0.line, $1.lastLine) < ($1.line, $0.lastLine) }
        // Each set once: many functions may have the same large one.
        let numbers = Set(around.flatMap(\.spans).filter { $0.first <= line && line <= $0.last }.map(\.set))
        let found = numbers.map { sets[$0] }
        let positions = found.reduce(into: Set<Int32>()) { $0.formUnion($1.tests) }.sorted()
        return LineAnswer(
            functions: around, tests: positions.map { tests[Int($0)] }, hasOthers: found.contains { $0.hasOthers },
            testsOfFunction: around.last.map { tests(of: $0.set) } ?? [])
    }

    /// Which tests execute a line; none, if the file was measured and no recorded test executes it. `nil` for a file of which nothing
    /// is known.
    public func answer(_ path: String, line: Int32, measured: FileCoverage?) -> LineAnswer? {
        answer(path, line: line)
            ?? measured.map { _ in LineAnswer(functions: [], tests: [], hasOthers: false, testsOfFunction: []) }
    }

    /// How many tests execute each line of a file that any test executes, by line; `nil` where these are too many to be counted.
    ///
    /// - Parameters:
    ///   - mostLines: How many lines its spans have at most, all together.
    ///   - mostTests: How many tests its lines have to be united of at most.
    public func counts(_ path: String, mostLines: Int = .max, mostTests: Int = .max) -> [Int32: Int]? {
        var (lines, tests) = (0, 0)
        var sets: [Int32: Set<Int>] = [:]
        for span in file(path)?.functions.flatMap(\.spans) ?? [] where span.first <= span.last {
            lines += Int(span.last) - Int(span.first) + 1
            guard lines <= mostLines else { return nil }
            for line in span.first...span.last { sets[line, default: []].insert(span.set) }
        }
        // Lines in a row have the same sets.
        var known: [Set<Int>: Int] = [:]
        for numbers in Set(sets.values) {
            if numbers.count == 1, let only = numbers.first {
                known[numbers] = self.sets[only].tests.count
                continue
            }
            tests += numbers.reduce(0) { $0 + self.sets[$1].tests.count }
            guard tests <= mostTests else { return nil }
            known[numbers] = Set(numbers.flatMap { self.sets[$0].tests }).count
        }
        return sets.compactMapValues { known[$0] }
    }

    /// What a test executes, by file; `nil` for one that was not recorded.
    public func executed(by test: TestID) -> [ExecutedFile]? {
        guard let position = tests.firstIndex(of: test).map(Int32.init) else { return nil }
        let own = sets.map { $0.tests.contains(position) }
        return files.compactMap { file in
            let functions = file.functions.filter { own[$0.set] }
            guard !functions.isEmpty else { return nil }
            let spans = functions.flatMap(\.spans).filter { own[$0.set] }.sorted { $0.first < $1.first }
            var lines: [ClosedRange<Int32>] = []
            for span in spans {
                if let last = lines.last, span.first <= last.upperBound + 1 {
                    lines[lines.count - 1] = last.lowerBound...max(last.upperBound, span.last)
                } else {
                    lines.append(span.first...span.last)
                }
            }
            return ExecutedFile(path: file.path, functions: functions.count, lines: lines)
        }
    }

    /// A function that one test alone executes.
    public struct SoleFunction: Sendable, Hashable {
        /// Its file, relative to the package.
        public var path: String
        /// The function.
        public var function: Function
        /// The test.
        public var test: TestID

        package init(path: String, function: Function, test: TestID) {
            (self.path, self.function, self.test) = (path, function, test)
        }
    }

    /// The functions of some files that one test alone executes, and nothing else, with that test.
    public func functionsOfOneTest(in paths: [String]) -> [SoleFunction] {
        let wanted = Set(paths.map { Name($0) })
        return files.filter { wanted.contains(Name($0.path)) }.flatMap { file in
            file.functions.compactMap { function in
                let set = sets[function.set]
                guard set.tests.count == 1, !set.hasOthers else { return nil }
                return SoleFunction(path: file.path, function: function, test: tests[Int(set.tests[0])])
            }
        }
    }
}
