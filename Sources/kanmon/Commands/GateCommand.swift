import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import Wording

/// `kanmon gate`: judge a stored run again; with another policy it is a what-if that stores nothing.
struct GateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Judge a stored run again, by its own policy or another one.",
        discussion: "Nothing is stored: the run keeps its verdict."
    )

    @OptionGroup var selection: RunSelection
    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @Option(help: ArgumentHelp("Another .kanmon.yml to judge by.", valueName: "file"))
    var policy: String?

    @Option(
        help: ArgumentHelp(
            "Replay the policy over the stored runs of this period, such as 30d or 12h.", valueName: "time"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Compare the lines with this revision instead; the package here must have the run's tree.",
            valueName: "rev"))
    var base: String?

    func validate() throws {
        guard let since else { return }
        guard policy != nil else { throw ValidationError("--since needs --policy") }
        guard PolicyBacktest.seconds(since) != nil else {
            throw ValidationError("'\(since)' is not a period such as 30d or 12h")
        }
    }

    func run() async throws {
        if let since, let policy { return try await backtest(policy, since: since) }
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let found = try await stored.find(selection.name(package)).detailed
        let draft = try policy.map { try SettingsLoader(process: process).load(file: $0) }
        var policy = draft?.policy ?? found.verdict.policy
        // Without its directory the run's base is unknown.
        if draft != nil, found.directory == nil { (policy.ratchet, policy.probation) = (nil, nil) }
        let kept = try found.directory.flatMap { try KeptJSON.baseline.read(from: $0) }
        let baseline = draft.map { kept?.adopting($0.gateSettings(file: self.policy)) } ?? kept
        if draft != nil, let absence = baseline?.absence, policy.asksForComparison {
            StandardStreams.tell("kanmon: \(Note.baseAbsent(absence).words.sentence)")
        }
        let past = try policy.past(of: found.run) { try stored.open() }
        let comparison = try await comparison(of: found, by: policy, baseline?.commit, process)
        let verdict: Verdict
        do {
            verdict =
                draft == nil && base == nil && found.directory == nil
                ? found.verdict
                : try Verdict(
                    judging: found.run, by: policy, past: past, history: found.verdict.lineHistory,
                    against: baseline, changed: comparison, authors: found.verdict.authors,
                    probation: found.verdict.probation,
                    causes: base == nil ? found.verdict.causes : nil,
                    before: base == nil ? found.verdict.change : nil)
        } catch {
            throw draft?.located(error) ?? error
        }
        var judged = found
        judged.verdict = verdict
        try Presentation(process: process).show(judged, json: output.json)
        if verdict.exitStatus != .passed { throw verdict.exitStatus }
    }

    /// The stored comparison; with `--base`, a new one by git. If none is stored and the draft needs one, git
    /// compares with the base of that time.
    private func comparison(
        of found: JudgedRun, by policy: Policy, _ known: BaseCommit?, _ process: ProcessContext
    ) async throws -> ChangeComparison? {
        guard let base else {
            let kept = try found.directory.flatMap { try KeptJSON.comparison.read(from: $0) }
            guard kept == nil, found.verdict.change == nil, policy.asksForComparison,
                let commit = found.verdict.base?.commit ?? known
            else { return kept }
            let repository = try await GitRepository.discover(
                at: process.real(package.packagePath), environment: GitEnvironment(process.environment))
            return try await repository?.comparison(of: found.run, with: commit) { run, base, repository in
                try await compare(run, with: base, in: repository, process)
            }
        }
        let context = try await PackageContext.load(package.packagePath, process: process)
        guard let repository = context.repository, let tree = found.run.revision?.tree,
            try await repository.hasTree(tree)
        else {
            throw Problem(
                .usage, "\(found.run.id) cannot be compared with '\(base)': git does not have the files it tested here",
                hint: "name a run of a commit, and its package with --package-path")
        }
        let head = found.run.revision?.commit.flatMap { ObjectID($0) }
        return try await compare(
            found.run, with: try await baseCommit(named: base, of: head, in: repository), in: repository, process)
    }

    /// The one commit where the change left a revision.
    private func baseCommit(
        named name: String, of head: ObjectID?, in repository: GitRepository
    ) async throws -> BaseCommit {
        switch try await repository.base(named: name, of: head) {
        case .found(let base, let others):
            guard !others.isEmpty else { return base }
            let commits = ([base] + others).map { String($0.commit.prefix(16)) }
            throw Problem(
                .usage, "the change left '\(name)' at several commits: \(commits.joined(separator: ", "))",
                hint: "name one of them with --base")
        case .none(let reason), .undetermined(let reason), .unknown(let reason):
            throw Problem(.undecided, "there is nothing to compare with: \(reason)", hint: "git fetch --unshallow")
        }
    }

    /// The changes of a run of this package whose files git has.
    private func compare(
        _ run: TestRun, with base: BaseCommit, in repository: GitRepository, _ process: ProcessContext
    ) async throws -> ChangeComparison? {
        let subpath = try await repository.packageSubpath(of: process.real(package.packagePath))
        return try await ChangeFinder(
            repository: repository, home: store.home(process), project: run.project, subpath: subpath
        ).compare(run.revision, with: base, isOfAll: run.engine == .foreign).comparison?.narrowed(to: run)
    }
}

extension GateCommand {
    /// Judges every stored run since then by the draft; nothing is stored.
    private func backtest(_ policy: String, since: String) async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let draft = try SettingsLoader(process: process).load(file: policy)
        let project = try await stored.project(selection.project, package: package.packagePath)
        let beginning = process.now.addingTimeInterval(-Double(PolicyBacktest.seconds(since) ?? 0))
        let repository = try await GitRepository.discover(
            at: process.real(package.packagePath), environment: GitEnvironment(process.environment))
        let backtest = try await PolicyBacktest(
            draft, file: policy, of: project, since: beginning, in: stored
        ) { run, base in
            try await repository?.comparison(of: run, with: base) { run, base, repository in
                try await compare(run, with: base, in: repository, process)
            }
        }
        StandardStreams.print(output.json ? try backtest.json() : backtest.text())
    }
}

extension GitRepository {
    /// Compares a run with its base if the files of both are here; `nil` if they are not.
    fileprivate func comparison(
        of run: TestRun, with base: BaseCommit,
        _ compare: (TestRun, BaseCommit, GitRepository) async throws -> ChangeComparison?
    ) async throws -> ChangeComparison? {
        guard let tree = run.revision?.tree, try await hasTree(tree), try await hasTree(base.commit) else { return nil }
        return try await compare(run, base, self)
    }
}
