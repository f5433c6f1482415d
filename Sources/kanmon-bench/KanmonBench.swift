import ArgumentParser
import CodeCoverage
import TestResults

/// `kanmon-bench`: runs one stage alone, or makes a synthetic store, so that scripts can measure it.
@main
struct KanmonBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kanmon-bench",
        abstract: "Run one stage alone and print what it counted.",
        subcommands: [ParseXUnit.self, ParseCoverage.self, GrowStore.self, FillStore.self, Hello.self]
    )

    /// `kanmon-bench parse-xunit`.
    struct ParseXUnit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse-xunit", abstract: "Read xUnit XML and count its cases.")
        @Argument var file: String

        func run() throws {
            var cases = 0
            _ = try XUnitReport.scan(file) { cases += $0.count }
            print("\(cases) cases")
        }
    }

    /// `kanmon-bench parse-coverage`.
    struct ParseCoverage: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "parse-coverage", abstract: "Read an llvm-cov export and count its lines.")
        @Argument var file: String

        func run() throws {
            // The files have all lines that a run counts. Functions are read for their names, and to merge shards.
            var (files, lines) = (0, 0)
            try CoverageExport.scan(file) { entry in
                files += 1
                lines += entry.lines.count
            }
            print("\(files) files, \(lines) lines")
        }
    }
}
