import CodeCoverage
import Exports
import RunModel
import Wording

/// Which tests execute a line or a file, or what a test executes: in words and for programs.
struct WhoReport: Encodable {
    enum Answer {
        /// A line here, and where it was in the run; `nil` for one that it did not have. Tests that were not recorded may be the ones that
        /// execute it.
        case line(path: String, line: Int32, there: Int32?, isExecuted: Bool, map: TestMap)
        case file(TestMap.File, TestMap)
        case test(TestID, [TestMap.ExecutedFile])
    }

    let run: RunID
    let answer: Answer
    /// Whether anything of a file was executed, whoever did.
    var isFileExecuted = false
    /// How many tests ran of which it is not recorded what they execute.
    var unrecorded = 0
    /// What functions are called for readers.
    var names = FunctionNames()
    /// The lines of the file that the question is about; `nil` where the run did not measure it.
    var measured: FileCoverage?

    /// For a terminal.
    ///
    /// - Parameter limit: How many tests, functions or files to list at most; 0 for all.
    func text(limit: Int) -> String {
        let lines =
            switch answer {
            case .line(let path, let line, let there, let isExecuted, let map):
                self.lines(path, line, there, isExecuted, map, limit)
            case .file(let file, let map): self.lines(file, map, limit)
            case .test(let test, let files): self.lines(test, files, limit)
            }
        return (lines + unrecordedTests).map { TerminalText.safe($0) }.joined(separator: "\n")
    }

    /// Who else may execute it.
    private var unrecordedTests: [String] {
        guard unrecorded > 0 else { return [] }
        if case .test = answer { return [] }
        let are = unrecorded == 1 ? "is" : "are"
        let ran = "\(Figures.counted(unrecorded, "more test")) ran that \(are) not in the map"
        // Which of the two it is of a test, the run does not know.
        return [
            "\(ran): kanmon run --map records those of Swift Testing; a test has no record where a program that it started was killed."
        ]
    }

    private func lines(
        _ path: String, _ line: Int32, _ there: Int32?, _ isExecuted: Bool, _ map: TestMap, _ limit: Int
    ) -> [String] {
        let place = "\(path):\(line)"
        guard let there else { return ["\(place) is newer than run \(run.short)"] }
        let moved = there == line ? "" : " (line \(there) then)"
        let known = map.answer(path, line: there)
        let isKnown = known.map { !$0.tests.isEmpty || $0.hasOthers } ?? false
        if !isKnown, let measured, !measured.isExecutable(Int(there)) {
            let head = "\(place)\(moved) is not executable, such as a comment or a blank line"
            guard let nearest = measured.nearestExecutable(to: Int(there)) else {
                return ["\(head), and no other line of the file is"]
            }
            // A comment is asked for because of what it is about: the code that comes next.
            let code = Int32(nearest)
            return ["\(head); the nearest line that \(moved.isEmpty ? "is" : "was then"):"]
                + lines(path, code, code, measured.isExecuted(nearest), map, limit)
        }
        guard let found = known, !found.tests.isEmpty || found.hasOthers else {
            guard !isExecuted else {
                return ["\(place)\(moved) was executed in run \(run.short), but by no test that was recorded"]
            }
            guard let found = known, let function = found.functions.last else {
                return ["\(place)\(moved) is in no function that run \(run.short) executed"]
            }
            let all = Figures.counted(found.testsOfFunction.count, "test")
            return [
                "No test executes \(place)\(moved); \(all) of run \(run.short) execute the function around it, \(name(function)):"
            ]
                + Self.list(found.testsOfFunction.map(\.description), limit)
        }
        let others = found.hasOthers ? ["  code outside of any test, such as what a class sets up"] : []
        let kind = unrecorded == 0 ? "test" : "recorded test"
        let count = "\(found.tests.count) of \(Figures.counted(map.tests.count, kind))"
        return ["\(count) of run \(run.short) execute \(place)\(moved):"]
            + Self.list(found.tests.map(\.description), limit) + others
    }

    private func lines(_ file: TestMap.File, _ map: TestMap, _ limit: Int) -> [String] {
        if file.functions.isEmpty, isFileExecuted {
            return ["\(file.path) was executed in run \(run.short), but by no test that was recorded"]
        }
        let tests = unrecorded == 0 ? "in" : "by recorded tests of"
        let count = Figures.counted(file.functions.count, "function")
        let head = "\(file.path): \(count) executed \(tests) run \(run.short)"
        return [head]
            + Self.list(
                file.functions.map { function in
                    let set = map.sets[function.set]
                    let only = set.tests.count == 1 && !set.hasOthers ? ", only \(map.tests[Int(set.tests[0])])" : ""
                    return "\(name(function)): \(Figures.counted(set.tests.count, "test"))\(only)"
                }, limit)
    }

    private func lines(_ test: TestID, _ files: [TestMap.ExecutedFile], _ limit: Int) -> [String] {
        guard !files.isEmpty else { return ["\(test) executes nothing of the package's own targets"] }
        let functions = Figures.counted(files.reduce(0) { $0 + $1.functions }, "function")
        let lines = Figures.counted(files.reduce(0) { $0 + $1.lineCount }, "line")
        let head =
            "\(test) executes \(functions), \(lines) in \(Figures.counted(files.count, "file")) (run \(run.short)):"
        return [head]
            + Self.list(
                files.map { "\($0.path): \($0.ranges)" }, limit)
    }

    /// `lines 10–20, sign(of:)`.
    private func name(_ function: TestMap.Function) -> String { "\(function.place), \(names[function.symbol])" }

    private static func list(_ entries: [String], _ limit: Int) -> [String] {
        let shown = limit == 0 ? entries : Array(entries.prefix(limit))
        let rest = entries.count - shown.count
        return shown.map { "  \($0)" } + (rest > 0 ? ["  and \(rest) more; --limit 0 lists all"] : [])
    }
}

extension WhoReport {
    /// What was executed of a file by one test.
    private struct File: Encodable {
        let path: String
        let functions: Int
        let lines: [[Int32]]
    }

    private enum CodingKeys: String, CodingKey { case run, path, functions, test, files, recorded, unrecorded }

    func encode(to encoder: any Encoder) throws {
        if case .line(let path, let line, let there, let isExecuted, let map) = answer {
            let found = there.flatMap { map.answer(path, line: $0) }
            let form = LineTestsForm(
                run: run, path: path, line: (asked: line, ofRun: there), isExecuted: isExecuted,
                isExecutable: there.flatMap { measured?.isExecutable(Int($0)) }, found, in: map, unrecorded: unrecorded
            ) { names[$0] }
            return try form.encode(to: encoder)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(run.description, forKey: .run)
        try container.encode(unrecorded, forKey: .unrecorded)
        switch answer {
        case .line: break
        case .file(let file, let map):
            let functions = file.functions.map { FunctionTestsForm($0, in: map) { names[$0] } }
            try container.encode(file.path, forKey: .path)
            try container.encode(map.tests.count, forKey: .recorded)
            try container.encode(functions, forKey: .functions)
        case .test(let test, let files):
            try container.encode(TestForm(test), forKey: .test)
            try container.encode(
                files.map { file in
                    File(
                        path: file.path, functions: file.functions,
                        lines: file.lines.map { [$0.lowerBound, $0.upperBound] })
                }, forKey: .files)
        }
    }
}
