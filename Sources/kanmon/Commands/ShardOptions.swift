import Application
import ArgumentParser
import Foundation
import Gate
import RunModel
import Storage

struct ShardOptions: ParsableArguments {
    /// How tests are split into shards.
    enum Rule: String, CaseIterable, ExpressibleByArgument {
        case hash, durations
    }

    @Option(
        help: ArgumentHelp(
            "Run one part of the tests, such as 2/3: the second of three. 'kanmon merge' merges all parts into one run.",
            valueName: "i/n"))
    var shard: Shard?

    @Option(help: "Split the tests by a hash of their names, or so that all shards take about the same time.")
    var shardBy = Rule.hash

    @Option(
        help: ArgumentHelp(
            """
            Take the durations from this JSON report, which must be the same on every machine; default: from the \
            latest full run in the store. Without durations the split is by hash.
            """, valueName: "file"))
    var durations: String?

    func validate() throws {
        if shard == nil, shardBy != .hash { throw ValidationError("--shard-by needs --shard") }
        if durations != nil, shardBy != .durations { throw ValidationError("--durations needs --shard-by durations") }
    }

    /// How the tests of a project are split.
    func split(in runs: StoredRuns, project: String) throws -> ShardAssignment {
        guard shard != nil, shardBy == .durations else { return .byHash }
        let known: [TestID: Duration]
        if let durations {
            known = try RecordedDurations.read(runs.process.absolute(durations))
        } else {
            known = runs.home.hasStore ? try runs.open().latestDurations(project: project) : [:]
        }
        if known.isEmpty { StandardStreams.tell("kanmon: no durations are known, so the tests are split by hash") }
        return .byDurations(known)
    }
}

/// The durations in a JSON report of a run.
enum RecordedDurations {
    private struct Report: Decodable {
        struct Test: Decodable {
            let module: String
            let suite: String
            let name: String
            let file: String?
            let durationNanoseconds: Int64?
        }

        let tests: [Test]
    }

    /// Reads a report.
    static func read(_ path: String) throws -> [TestID: Duration] {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Problem(.badInput, "failed to read \(path): \(error.fileSystemReason)")
        }
        let report: Report
        do {
            report = try JSONDecoder().decode(Report.self, from: bytes)
        } catch {
            throw Problem(
                .badInput, "\(path) is no JSON report", hint: "name a file of 'kanmon report --format json'")
        }
        var durations: [TestID: Duration] = [:]
        for test in report.tests {
            let id = TestID(
                module: test.module, suite: test.suite, name: test.name, discriminator: test.file ?? "")
            durations[id] = test.durationNanoseconds.map { .nanoseconds($0) }
        }
        return durations
    }
}
