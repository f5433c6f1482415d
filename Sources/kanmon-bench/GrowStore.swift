import ArgumentParser
import Foundation
import Gate
import RunModel
import Storage

/// `kanmon-bench grow-store`.
struct GrowStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grow-store", abstract: "Store made-up runs and print what each adds to the file.")
    @Argument(help: "A folder that does not exist yet.") var folder: String
    @Option var runs = 400
    @Option var tests = 5_000
    @Option var files = 500

    func run() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let bare = try growth("bare", tests: 0, files: 0)
        let results = try growth("results", tests: tests, files: 0) - bare
        let coverage = try growth("coverage", tests: 0, files: files) - bare
        let all = try growth("all", tests: tests, files: files)
        print(
            """
            \(results / Double(tests)) bytes a test result
            \(coverage) bytes a run for the coverage of \(files) files
            \(all) bytes a run in all
            """)
    }

    /// Bytes that a run adds in the second half of the history.
    private func growth(_ name: String, tests: Int, files: Int) throws -> Double {
        let path = "\(folder)/\(name).sqlite"
        let store = try RunStore(path: path)
        var sample = SampleHistory(tests: tests, files: files)
        var half = 0
        for number in 0..<runs {
            if number == runs / 2 { half = try size(path) }
            let run = sample.next()
            let verdict = try Verdict(judging: run, by: Policy())
            _ = try store.ingest(run, verdict: verdict, runDirectory: "/home/ci/kanmon/runs/bench/\(run.id)")
        }
        return Double(try size(path) - half) / Double(runs - runs / 2)
    }

    private func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
}
