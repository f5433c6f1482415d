import Evidence
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import TestRunning

extension CauseFinder {
    /// What came of tests on the base.
    enum BaseAnswer: Sendable {
        /// They ran, or it is known which of them there are not.
        case report(TrialReport)
        /// Why none could run; may hold untrusted text.
        case obstacle(String)
    }

    /// The base, where there is exactly one that shares history with the change.
    var soleBase: BaseCommit? {
        guard let base = baseline?.commit, base.kind != .unrelated, baseline?.others == nil,
            baseline?.movedFrom == nil
        else { return nil }
        return base
    }

    /// Runs tests on the base's tree. It is checked out in a folder of its own, and only what is out of date is built.
    /// Both are kept.
    ///
    /// - Parameters:
    ///   - limit: How long all of it may take.
    ///   - failed: The run that waits for it, and tells who watches it.
    func trial(
        onBase rounds: [TrialRequest.Round], within limit: Duration, beside failed: FailedRun
    ) async -> BaseAnswer {
        guard let base = soleBase else { return .obstacle(absence) }
        let end = SuspendingClock.now + limit
        guard limit > .zero, !Task.isCancelled else { return .obstacle("there was no time left") }
        failed.tell(.chose("running them on the base \(base.commit.prefix(12))"))
        let answer: BaseAnswer? = await withTaskGroup(of: BaseAnswer?.self) { group in
            group.addTask {
                do {
                    return try await self.trial(onBase: rounds, of: base, until: end, beside: failed)
                } catch {
                    return BaseAnswer.obstacle(Problem(explaining: error)?.reason ?? "\(error)")
                }
            }
            // Child processes have time limits; git, which checks the tree out, has none.
            group.addTask {
                try? await Task.sleep(for: limit + Self.grace, clock: .suspending)
                return nil
            }
            var found: BaseAnswer?
            // Whoever ends first ends the other.
            for await part in group {
                found = found ?? part
                group.cancelAll()
            }
            return found
        }
        return answer ?? .obstacle("there was no time left")
    }

    /// What takes longer than it may is ended after this time.
    private static let grace = Duration.seconds(2)
    /// So long a script after the tests may take at most.
    private static let longestAfter = Duration.seconds(30)

    private func trial(
        onBase rounds: [TrialRequest.Round], of base: BaseCommit, until end: SuspendingClock.Instant,
        beside failed: FailedRun
    ) async throws -> BaseAnswer {
        guard let commit = ObjectID(base.commit), let tree = try await repository.tree(of: commit) else {
            return .obstacle("git does not have its tree")
        }
        guard try await repository.hasFile(at: subpath.path("Package.swift"), in: commit) else {
            return .obstacle("it has no Package.swift here")
        }
        let own = try await baseSettings(of: tree)
        let shadow = try await ShadowTree.open(
            in: repository, for: .base, owner: process.lockOwner,
            timeout: min(.seconds(2), end - SuspendingClock.now))
        let laidOut = try await shadow.materialize(tree)
        repository.rest()
        let doubts = laidOut.differences.map(\.description) + laidOut.gaps.map(\.detail)
        guard doubts.isEmpty else { return .obstacle("it is not laid out exactly: \(doubts[0])") }
        let options = options(onBase: own, until: end)
        guard options.limits.run > .zero else { return .obstacle("there was no time left to build it") }
        let request = request(onBase: own, in: laidOut.path, below: shadow.home, options)
        var trial = TrialRequest(rounds: rounds, budget: options.limits.run)
        trial.deadline = end
        let report = try await TestRunner().trial(request, trial) { news in
            if case .repeatedTests = news { failed.tell(news) }
        }
        shadow.close()
        if let obstacle = report.obstacle { return .obstacle(Self.words(obstacle)) }
        return .report(report)
    }

    /// How the base runs: one process at a time, without what makes a run complete, and to the end of the time.
    private func options(onBase own: Settings, until end: SuspendingClock.Instant) -> RunOptions {
        var options = own.runOptions
        (options.jobs, options.retries, options.clean) = (1, 0, .never)
        // They clean up, and so outlast the time that the rest has.
        options.after = options.after.map { script in
            RunScript(words: script.words, timeLimit: min(script.timeLimit, Self.longestAfter))
        }
        options.limits.run = end - SuspendingClock.now
        options.limits.lock = .seconds(2)
        return options
    }

    /// What is built and run of the base: all of its test targets that its settings do not switch off.
    ///
    /// - Parameters:
    ///   - top: The folder in which its tree is checked out.
    ///   - ceiling: The folder above which git does not look for a repository.
    private func request(
        onBase own: Settings, in top: String, below ceiling: String, _ options: RunOptions
    ) -> RunRequest {
        let root = process.real(subpath.folder(in: top))
        let now = process.now
        let id = RunID(of: project, seed: process.makeNonce(), at: now)
        return RunRequest(
            package: TestedPackage(
                root: root, project: project, repositoryTop: process.real(top),
                repositoryCeiling: process.real(ceiling)),
            tests: TestChoice(selection: Selection(disabledTargets: own.disabledTargets)), options: options,
            scratchPath: TestRunner.scratchPath(cacheHome: home.cache, packageRoot: root),
            runDirectory: home.runDirectory(project: project, id: id), cacheDirectory: home.cache + "/kanmon",
            runID: id, startedAt: now, arguments: process.arguments, kanmonVersion: Release.version,
            parentEnvironment: process.environment)
    }

    /// Whether the tests of a commit see the same variables as those of the run: its settings pass the same ones on.
    func hasVariables(of commit: ObjectID) async throws -> Bool {
        guard let tree = try await repository.tree(of: commit) else { return false }
        let own = try await baseSettings(of: tree)
        return variables(by: own) == variables(by: settings)
    }

    /// Whether the base lies in a folder like that of the tested tree, and no variable leads its tests into the working copy, where the
    /// change may lie.
    var isLikeBase: Bool {
        guard isLaidOut, let top = repository.workTree else { return isLaidOut }
        let places = [top, process.real(top)]
        return !variables(by: settings).contains { name, value in
            // Tests run without what lies in these as well.
            let isOfUser = ["HOME", "TMPDIR"].contains(name) || name.hasPrefix("XDG_")
            return !isOfUser && places.contains { value.contains($0) }
        }
    }

    private func variables(by settings: Settings) -> [String: String] {
        ChildEnvironment.passed(from: process.environment, passing: settings.environment.map { $0.value.entry })
    }

    /// How the base is built and run: as its own file says, by the same toolchain and in the same way as the run.
    private func baseSettings(of tree: ObjectID) async throws -> Settings {
        let loader = SettingsLoader(process: process)
        let bytes = try await loader.bytes(at: subpath.path(SettingsLoader.fileName), in: tree, of: repository)
        var own = try Settings.resolve(
            file: try bytes.map { try loader.read($0) } ?? Settings(), environment: process.environment)
        (own.engine, own.swift, own.isolation) = (settings.engine, settings.swift, settings.isolation)
        // What takes too long here must not take too long there only because it may take less.
        (own.testTimeout, own.silenceTimeout) = (settings.testTimeout, settings.silenceTimeout)
        if settings.namesBuild { (own.traits, own.sanitizer) = (settings.traits, settings.sanitizer) }
        return own
    }

    /// Why there is no base to run anything on.
    private var absence: String {
        guard let baseline else { return "the run was not compared with a base" }
        if let reason = baseline.absence { return "there is none: \(reason)" }
        if baseline.commit?.kind == .unrelated { return "it has no commit in common with the change" }
        if baseline.others != nil { return "there are several" }
        if let place = baseline.movedFrom { return "the package lay elsewhere: \(place)" }
        return "nobody knows which it is"
    }

    private static func words(_ obstacle: TrialReport.Obstacle) -> String {
        switch obstacle {
        case .scriptsFailed(let detail): "its scripts before the build failed: \(detail)"
        case .notBuilt(let lines): "it was not built: \(firstError(in: lines))"
        case .noTests: "it has no test target"
        case .notListed(let detail): "its tests were not listed: \(detail)"
        }
    }

    private static func firstError(in lines: String) -> String {
        lines.split(separator: "\n").first { $0.contains("error:") }.map(String.init) ?? lines
    }
}

extension ProcessContext {
    /// This process, for others that wait for it.
    var lockOwner: LockOwner {
        let (pid, host) = process
        return LockOwner(pid: pid, host: host, since: now)
    }
}
