public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// The tests that execute a line of a source file, and the functions around it.
    ///
    /// - Parameters:
    ///   - measured: The lines of the file that the run executed, whoever did; `nil` where that is not known.
    ///   - unrecorded: How many tests ran of which it is not recorded what they execute.
    ///   - durations: How long each test took in the run, by identity.
    ///   - titles: What tests are called for readers, where that is not the identity.
    ///   - names: What the function of a symbol is called for readers.
    /// - Returns: `nil` for a file that was not measured, and that no recorded test executes.
    public static func who(
        _ path: String, line: Int, in run: RunSummary, map: TestMap, measured: FileCoverage? = nil,
        unrecorded: Int = 0, durations: [TestID: Duration] = [:], titles: [TestID: String] = [:],
        links: Links = .dashboard, names: (String) -> String = { $0 }
    ) -> SheetPage? {
        guard let answer = map.answer(path, line: Int32(clamping: line), measured: measured) else { return nil }
        let isExecuted = measured?.isExecuted(line) ?? false
        let hasCode = measured?.isExecutable(line) ?? true
        let runLinks = RunLinks(run.id, project: run.project, links)
        let place = "\(path.lastPathComponent):\(line)"
        let around = answer.functions.suffix(mostFunctions).reversed().map { function in
            [
                Cell.name(function.place, runLinks.line(Int(function.line), of: path), detail: names(function.symbol)),
                .figure(Figures.grouped(map.sets[function.set].tests.count), "Tests"),
            ]
        }
        var sections = [
            SheetSection(
                "Tests", table(answer.tests, durations, titles, run.project, links),
                empty: EmptyList(
                    answer.hasOthers
                        ? "No test alone executes this line, but code outside of tests does, such as what a class sets up."
                        : isExecuted
                            ? "This line was executed, but by no test that was recorded."
                            : hasCode
                                ? "No test of this run executes this line."
                                : "This line is not executable, such as a comment or a blank line.",
                    "Only tests that were recorded are known: those of XCTest, and those of Swift Testing where they are short, or with kanmon run --map; a test has no record where a program that it started was killed."
                ))
        ]
        if answer.tests.isEmpty, !answer.testsOfFunction.isEmpty {
            sections.append(
                SheetSection(
                    "Tests that execute the function around it",
                    table(answer.testsOfFunction, durations, titles, run.project, links)))
        }
        if !around.isEmpty {
            let rest = answer.functions.count - around.count
            sections.append(
                SheetSection(
                    "Functions around it",
                    note: rest > 0 ? "The innermost, and \(Figures.grouped(rest)) more around these." : nil,
                    CellTable(["Lines", "#Tests"], around)))
        }
        let count = Figures.counted(answer.tests.count, "test")
        let others = unrecorded == 0 ? "" : " \(Figures.counted(unrecorded, "more test")) ran without being recorded."
        return SheetPage(
            frame: PageFrame(
                title: "Tests of \(place)",
                crumbs: [
                    Link(run.project, links.project(run.project)), Link(runLinks.words, runLinks.page()),
                    Link(path.lastPathComponent, runLinks.line(line, of: path)),
                ], here: "line \(line)", links: links),
            heading: "\(path):\(line)",
            summary: "\(count) of the \(Figures.grouped(map.tests.count)) that were recorded execute this line"
                + (answer.hasOthers && !answer.tests.isEmpty ? ", and code outside of tests." : ".") + others,
            sections: sections)
    }

    /// How many tests are listed.
    private static let mostTests = 500

    private static func table(
        _ tests: [TestID], _ durations: [TestID: Duration], _ titles: [TestID: String], _ project: String,
        _ links: Links
    ) -> CellTable {
        // The fastest test that executes it is the one to run first.
        let sorted = tests.sorted { left, right in
            let (one, other) = (durations[left] ?? .seconds(86_400), durations[right] ?? .seconds(86_400))
            return one == other ? left < right : one < other
        }
        return CellTable(
            ["Test", "#Time"],
            sorted.prefix(mostTests).map { test in
                [
                    .test(test, title: titles[test], project, links),
                    .figure(durations[test].map { Figures.duration($0) } ?? "–", "Time"),
                ]
            })
    }

    /// What a test executes, file by file.
    static func executed(_ files: [TestMap.ExecutedFile], in run: RunSummary, _ links: Links) -> SheetSection {
        let runLinks = RunLinks(run.id, project: run.project, links)
        let lines = files.reduce(0) { $0 + $1.lineCount }
        return SheetSection(
            "Executes",
            note: "\(Figures.counted(lines, "line")) in \(Figures.counted(files.count, "file")), in \(runLinks.words).",
            CellTable(
                ["File", "#Functions", "#Lines", "Where"],
                files.map { file in
                    let first = file.lines.first.map { Int($0.lowerBound) }
                    return [
                        .name(file.path, first.map { runLinks.line($0, of: file.path) }),
                        .figure(Figures.grouped(file.functions), "Functions"),
                        .figure(Figures.grouped(file.lineCount), "Lines"), .words(file.ranges, "Where"),
                    ]
                }),
            empty: EmptyList("It executes nothing of the package's own targets.", "It may only test its own helpers."))
    }

    /// How many functions are listed.
    private static let mostFunctions = 100

    /// The functions of a module that one test alone executes.
    static func functionsOfOneTest(
        _ found: [TestMap.SoleFunction], titles: [TestID: String], names: (String) -> String, _ links: RunLinks
    ) -> SheetSection? {
        guard !found.isEmpty else { return nil }
        let rest = found.count > mostFunctions ? ", the first \(mostFunctions) are listed" : ""
        let count = Figures.counted(found.count, "function") + rest
        return SheetSection(
            "Executed by one test only",
            note: "\(count): without that test nothing would notice a fault in them.",
            CellTable(
                ["Function", "#Lines", "Test"],
                found.prefix(mostFunctions).map { sole in
                    let function = sole.function
                    return [
                        .name(
                            "\(sole.path.lastPathComponent):\(function.line)",
                            links.line(Int(function.line), of: sole.path), detail: names(function.symbol)),
                        .figure(Figures.grouped(function.lines.count), "Lines"),
                        .test(sole.test, title: titles[sole.test], links.project, links.links),
                    ]
                }))
    }
}
