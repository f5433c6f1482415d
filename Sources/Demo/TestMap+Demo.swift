import RunModel

extension TestMap {
    /// A map for a made-up run: consecutive executable lines count as one function, which some tests of the run execute.
    init(of files: [FileCoverage], tests: [TestResult]) {
        let executed = tests.filter(\.outcome.wasExecuted).map(\.id).sorted()
        var numbers: [TestSet: Int] = [:]
        self.init(tests: executed, sets: [], files: [])
        for file in files where !executed.isEmpty {
            var functions: [Function] = []
            for range in LineRanges.of(file.lines.map { Int($0.line) }) {
                let covered = LineRanges.of(
                    file.lines.filter { range.contains(Int($0.line)) && $0.count.isCovered }.map { Int($0.line) })
                guard !covered.isEmpty else { continue }
                let first = Noise.number(file.path, range.lowerBound, below: executed.count)
                let some = executed.indices.filter {
                    Noise.number("\(file.path) \($0)", range.lowerBound, below: 5) == 0
                }
                let set = TestSet(tests: Set(some + [first]).sorted().map { Int32($0) })
                let number = numbers[set] ?? sets.count
                if numbers[set] == nil { sets.append(set) }
                numbers[set] = number
                functions.append(
                    Function(
                        symbol: "\(file.module).function\(range.lowerBound)", line: Int32(range.lowerBound),
                        lastLine: Int32(range.upperBound), set: number,
                        spans: covered.map {
                            Span(first: Int32($0.lowerBound), last: Int32($0.upperBound), set: number)
                        }))
            }
            if !functions.isEmpty { self.files.append(File(path: file.path, functions: functions)) }
        }
    }
}
