import Foundation
import Gate
import RunModel
import SettingsFile
import Storage
import Subprocess
import Testing

@testable import Application
@testable import Repository

/// A random history in a real repository, beside a real store: bases, what they say, answers without tests and audits are the
/// program's own.
struct RepositoryHistory: HistoryGround {
    let store: RunStore
    private let folder: TestFolder
    private let process: ProcessContext
    private let home: Home
    private let repository: GitRepository
    /// The commits by their numbers.
    private let commits: [ListedCommit]

    init(_ history: RandomHistory) async throws {
        folder = try TestFolder()
        process = folder.process
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        commits = try await Self.make(history, in: folder)
        home = Home(folder.home, process: process)
        home.prepare()
        store = try RunStore(path: home.database)
        let found = try await GitRepository.discover(
            at: folder.work, environment: GitEnvironment(process.environment))
        repository = try #require(found)
    }

    func name(_ commit: Int) -> String { commits[commit].commit.hexadecimal }
    func tree(_ commit: Int) -> String { commits[commit].tree.hexadecimal }
    func project(_ package: Int) -> String { Self.project(package) }

    private static func project(_ package: Int) -> String { "history/\(package)" }

    func comparison(of commit: Int, main: Int, _ package: Int) async throws -> HistoryComparison {
        try await folder.git("update-ref", "refs/heads/main", name(main))
        let finder = BaselineFinder(
            process: process, home: home, repository: repository, subpath: PackageSubpath("\(package)"),
            project: project(package), swiftOverride: nil)
        let head = BaselineFinder.Head.commit(commits[commit].commit, tree: commits[commit].tree)
        let base = try await finder.base(head)
        let baseline = try await finder.find(head, base: base).baseline
        let settings = try #require(base.own)
        var bases: [String] = []
        if case .found(let first, let others) = base.search { bases = ([first] + others).map(\.commit) }
        return HistoryComparison(bases: bases, policy: settings.policy, baseline: baseline)
    }

    func audit(of commit: Int, main: Int, _ package: Int) async throws -> HistoryAudit? {
        try await folder.git("update-ref", "refs/heads/main", name(main))
        let judge = TreeJudge(
            process: process, checkpoint: Checkpoint(process: process, home: home),
            repository: repository, subpath: PackageSubpath("\(package)"))
        let entry = try await CommitAudits(judge: judge, store: store, project: project(package))
            .entry(of: commits[commit])
        return HistoryAudit(run: entry.run, decision: entry.decision, fault: entry.fault)
    }

    func answer(
        on commit: Int, main: Int, _ package: Int, as revision: Revision, like inputs: RunInputs, at moment: Date
    ) async throws -> HistoryAnswer {
        try await folder.git("update-ref", "refs/heads/main", name(main))
        var process = process
        process.moment = moment
        let finder = BaselineFinder(
            process: process, home: home, repository: repository, subpath: PackageSubpath("\(package)"),
            project: project(package), swiftOverride: nil)
        let head = BaselineFinder.Head.commit(commits[commit].commit, tree: commits[commit].tree)
        let settings = try #require(try await finder.base(head).own)
        let question = KnownRuns.Question(
            tree: tree(commit), project: project(package), inputs: inputs, settings: settings, finder: finder,
            head: head, revision: revision)
        guard let known = try await KnownRuns(process: process, home: home).answer(to: question) else {
            return .unknown
        }
        return .known(known.summary.id, known.verdict)
    }

    /// Makes all commits at once, each with a ref of its own; `main` comes later.
    private static func make(_ history: RandomHistory, in folder: TestFolder) async throws -> [ListedCommit] {
        let result = try await Subprocess.run(
            .name("git"), arguments: Arguments(["-C", folder.work, "fast-import", "--quiet"]),
            environment: .inherit.updating(["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"]),
            input: .array(Array(stream(of: history).utf8)), output: .discarded, error: .discarded)
        try #require(result.terminationStatus == .exited(0))
        let list = try await folder.git(
            "for-each-ref", "--format=%(refname:lstrip=2) %(objectname) %(tree)", "refs/kanmon")
        var found: [Int: ListedCommit] = [:]
        for line in list.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let number = try #require(Int(fields[0]))
            found[number] = ListedCommit(
                commit: try #require(ObjectID(fields[1])), tree: try #require(ObjectID(fields[2])), subject: "m")
        }
        return try history.commits.indices.map { number in try #require(found[number]) }
    }

    /// The history as `git fast-import` reads it.
    private static func stream(of history: RandomHistory) -> String {
        var text = ""
        func add(_ data: String) { text += "data \(data.utf8.count)\n\(data)\n" }
        for (number, commit) in history.commits.enumerated() {
            text += "commit refs/kanmon/\(number)\nmark :\(number + 1)\n"
            text += "committer A <a@b> \(1_767_000_000 + number) +0000\n"
            add(commit.message)
            for (place, parent) in commit.parents.enumerated() {
                text += "\(place == 0 ? "from" : "merge") :\(parent + 1)\n"
            }
            text += "deleteall\n"
            var files = ["content.txt": "\(commit.content)\n"]
            for (package, floor) in commit.floors.enumerated() {
                // Without a manifest that has to be evaluated.
                files["\(package)/Package.swift"] = "// swift-tools-version: 6.0\n"
                files["\(package)/.kanmon.yml"] =
                    "version: 1\nproject: \(project(package))\ncoverage:\n  modules: { default: { line: \(floor) } }\n"
            }
            for (name, content) in files.sorted(by: { $0.key < $1.key }) {
                text += "M 100644 inline \(name)\n"
                add(content)
            }
        }
        return text
    }
}
