import Exports
import Gate
import Pages
package import Repository
import RunModel
import SettingsFile
import Storage
import TestRunning
import Wording

/// The hooks of a server: what was pushed needs a verdict before a ref moves. Whoever pushes cannot bypass them.
package struct ServerHook: Sendable {
    /// How many verdicts on a pushed commit are looked at.
    private static let mostVerdicts = 50

    let judge: TreeJudge
    let options: ServerHookSettings

    package init(judge: TreeJudge, options: ServerHookSettings) { (self.judge, self.options) = (judge, options) }

    /// Judges every commit that a ref is to point at; the pusher reads all that is wrong at once.
    package func judge(_ commits: [PushedTrees.Commit]) async throws {
        var statuses: [ExitStatus] = []
        for commit in commits {
            switch options.mode {
            case .verify: statuses.append(try await verify(commit))
            case .run: statuses.append(try await run(commit))
            }
        }
        let status = ExitStatus.gravest(of: statuses)
        if status != .passed { throw status }
    }

    /// Runs the tests of what is still in git's object quarantine.
    private func run(_ commit: PushedTrees.Commit) async throws -> ExitStatus {
        let subject = TreeJudge.Subject(tree: commit.tree, revision: commit.revision, head: .pushed(commit))
        let answer = try await judge.judge(subject)
        try judge.show(answer, of: subject)
        if answer.exitStatus != .passed {
            switch answer {
            case .known(let known):
                let store = try RunStore.reading(judge.checkpoint.home.database)
                tellMore(known.summary.id, for: try judgedCommit(of: known, commit, in: store))
            // It has named the page already.
            case .told: break
            case .ran(let watched):
                if let signal = watched.signal { throw SignalEnding(signal: signal) }
                tellMore(watched.judgement.run.id)
            }
        }
        return answer.exitStatus
    }

    /// Looks for a whole run of the tree in the store, else asks the server for one, and compares it with the base of today.
    private func verify(_ commit: PushedTrees.Commit) async throws -> ExitStatus {
        var home = judge.checkpoint.home
        if !options.store.isEmpty { home.otherDatabase = options.store }
        let settings = try await judge.context(of: commit.tree).settings
        let project = options.project.isEmpty ? settings.project.value : options.project
        if home.hasStore {
            let store = try RunStore.reading(home.database)
            // A tree may hold several packages. A run that does not say where its own lies is of none.
            let manifest = try await judge.repository.file(at: judge.subpath.path("Package.swift"), in: commit.tree)
            let name = manifest.flatMap { PackageManifest.literalName(in: String(decoding: $0, as: UTF8.self)) }.map(
                Name.init)
            let run = try store.runs(
                of: commit.commit, tree: commit.tree, at: judge.subpath.folder, project: project, limit: 50
            ).first { $0.isWholeOfTree && (name == nil || name == Name($0.package)) }
            if let run { return try await judgeAgain(run, in: store, home, settings, commit) }
        }
        // Which run of many projects answers is for nobody else to say.
        if let server = judge.server, let project {
            let question = question(on: commit, of: project, home, settings)
            if let told = try await server.answer(to: question, of: commit.revision) { return tell(told, of: commit) }
        }
        guard home.hasStore else {
            throw Problem(
                .ioError, "there is no store at \(home.database)", hint: "name one with kanmon hook install --store")
        }
        refuse(commit, "no verdict: the tree \(commit.tree.hexadecimal.prefix(12)) has no complete run in the store")
        StandardStreams.tell("Try: push to a branch that the pipeline builds, and push again when it has passed")
        return .undecided
    }

    private func question(
        on commit: PushedTrees.Commit, of project: String, _ home: Home, _ settings: Settings
    ) -> KnownRuns.Question {
        let finder = BaselineFinder(
            process: judge.process, home: home, repository: judge.repository, subpath: judge.subpath,
            project: project, swiftOverride: settings.swift.value)
        return KnownRuns.Question(
            tree: commit.tree.hexadecimal, project: project, inputs: nil, settings: settings, finder: finder,
            head: .pushed(commit), revision: commit.revision)
    }

    /// Passes on what another server said of a pushed commit.
    private func tell(_ told: ServerVerdict, of commit: PushedTrees.Commit) -> ExitStatus {
        StandardStreams.tell("kanmon: \(told.provenance(now: judge.process.now))")
        if told.exitStatus == .passed {
            StandardStreams.tell("kanmon: \(commit.commit.hexadecimal.prefix(12)) \(told.headline)")
        } else {
            refuse(commit, told.headline)
            if let page = told.page { StandardStreams.tell("kanmon: more: \(page)") }
        }
        return told.exitStatus
    }

    /// Compares a stored run of the tree with the base of today.
    private func judgeAgain(
        _ run: RunSummary, in store: RunStore, _ home: Home, _ settings: Settings, _ commit: PushedTrees.Commit
    ) async throws -> ExitStatus {
        let question = question(on: commit, of: run.project, home, settings)
        let known = KnownRuns(process: judge.process, home: home)
        guard let answer = try await known.judgeAgain(run, for: question, in: store) else {
            refuse(commit, "run \(run.id.short) cannot be judged against the current base")
            StandardStreams.tell("Try: kanmon run --commit \(commit.commit.hexadecimal.prefix(12)) --fresh")
            return .undecided
        }
        if answer.verdict.exitStatus == .passed {
            StandardStreams.tell("kanmon: \(commit.commit.hexadecimal.prefix(12)) \(answer.headline)")
            return .passed
        }
        refuse(commit, answer.headline)
        tell(answer.verdict)
        tellMore(run.id, for: try judgedCommit(of: answer, commit, in: store))
        return answer.verdict.exitStatus
    }

    /// The pushed commit, where the store has this verdict as what the run says of it, and the run tested another one.
    private func judgedCommit(
        of known: KnownRun, _ commit: PushedTrees.Commit, in store: RunStore
    ) throws -> String? {
        let told = try store.verdicts(on: commit.commit.hexadecimal, limit: Self.mostVerdicts)
            .first { $0.id == known.summary.id }
        return told?.decision == known.verdict.decision ? told?.judgedCommit : nil
    }

    private func refuse(_ commit: PushedTrees.Commit, _ reason: String) {
        let refs = commit.refs.map { TerminalText.safe($0.remoteName.description) }.joined(separator: ", ")
        StandardStreams.tell("kanmon: \(refs) \(commit.commit.hexadecimal.prefix(12)): \(TerminalText.safe(reason))")
    }

    /// What is wrong, each with its place and its fix.
    private func tell(_ verdict: Verdict) {
        let all = verdict.violations
        for violation in all.prefix(10) {
            StandardStreams.tell("  ✕ \(TerminalText.safe(violation.sentence))")
            if let hint = violation.hint { StandardStreams.tell("      \(TerminalText.safe(hint))") }
        }
        if all.count > 10 { StandardStreams.tell("  and \(all.count - 10) more") }
        for gap in verdict.gaps.prefix(10) { StandardStreams.tell("  ? \(TerminalText.safe(gap.words.sentence))") }
    }

    /// - Parameter commit: The commit that the run is judged for, if that is another than it tested.
    private func tellMore(_ run: RunID, for commit: String? = nil) {
        if options.dashboard.isEmpty {
            let name = commit.map { String($0.prefix(12)) } ?? run.short
            StandardStreams.tell("kanmon: more: run kanmon report \(name) on the machine with the store")
        } else {
            let base = options.dashboard.hasSuffix("/") ? String(options.dashboard.dropLast()) : options.dashboard
            StandardStreams.tell("kanmon: more: \(TerminalText.safe(base))\(Route.run(run, commit: commit).href)")
        }
    }
}
