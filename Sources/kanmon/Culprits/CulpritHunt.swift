import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import TestRunning

/// Looks for the commit that broke a test: builds commits of a line in a folder of its own, and runs the test with what they build.
struct CulpritHunt: Sendable {
    /// What was found of a line.
    struct Finding: Sendable {
        /// The commits that may have broken the test, the oldest first; the most probable ones so far where none can be named.
        var suspects: [LineCommit]
        var probability: Double
        /// The merge that brought it into the line.
        var merge: LineCommit?
        /// Why no commit can be named; `nil` if one is.
        var reason: CulpritSearch.Reason?
        /// More about the reason; may hold untrusted text.
        var detail: String?
    }

    /// What came of a commit.
    private enum Observation {
        case ran(failures: Int, passes: Int)
        /// The test cannot be run there, and why; may hold untrusted text.
        case notTested(String)
        /// The time was over, or somebody ended the search.
        case cutShort
    }

    /// More commits between two ends are not searched.
    static let mostCommits = 10_000
    /// So often a merge within a merge is looked into.
    private static let deepest = 8
    /// So often an end is run until it does what it is said to do.
    private static let triesOfEnd = 3

    let judge: TreeJudge
    let project: String
    let test: TestID
    /// What is known before anything is run.
    let knowledge: CulpritKnowledge
    let deadline: SuspendingClock.Instant
    let progress: @Sendable (RunProgress) -> Void
    let tell: @Sendable (String) -> Void

    /// How often the test ran.
    private(set) var runs = 0
    private var trees: Set<ObjectID> = []
    private var built: ObjectID?
    /// How long it takes to build a commit, and to run the test once, in seconds: a guess until it was done.
    private var seconds = (build: 20.0, run: 1.0)
    private var way = TrialRequest.Way.alone

    init(
        _ judge: TreeJudge, project: String, test: TestID, knowledge: CulpritKnowledge,
        deadline: SuspendingClock.Instant, progress: @escaping @Sendable (RunProgress) -> Void,
        tell: @escaping @Sendable (String) -> Void
    ) {
        (self.judge, self.project, self.test, self.knowledge) = (judge, project, test, knowledge)
        (self.deadline, self.progress, self.tell) = (deadline, progress, tell)
    }

    /// How many trees were built.
    var builds: Int { trees.count }

    private var timeLeft: Duration { max(.zero, deadline - SuspendingClock.now) }

    /// Searches a line, and the merge that broke the test, if one did.
    ///
    /// - Parameter line: The good end first, the bad end last.
    mutating func find(in line: [LineCommit]) async throws -> Finding {
        try await find(in: line, broken: nil, depth: 0)
    }

    /// - Parameters:
    ///   - broken: How often the test failed and passed at the bad end, if it was run there already.
    ///   - depth: In how many merges the line is.
    private mutating func find(
        in line: [LineCommit], broken: (failures: Int, passes: Int)?, depth: Int
    ) async throws -> Finding {
        let weights = try await knowledge.weights(of: line)
        let past = try await knowledge.past(before: line)
        guard var search = CulpritSearch(weights: weights, past: past) else {
            throw Problem(.usage, "there is no commit between the two ends")
        }
        for (place, commit) in line.enumerated() {
            let known = try await knowledge.outcomes(of: commit.tree)
            if known.failures + known.passes > 0 {
                search.know(failures: known.failures, passes: known.passes, at: place)
            }
        }
        let last = search.last
        var detail: String?
        if let broken {
            Self.take(broken, at: last, &search)
        } else {
            detail = try await checkEnds(line, &search)
        }
        let finding = try await answer(of: &search, in: line, detail)
        guard finding.reason == nil, finding.suspects.count == 1, let merge = finding.suspects.first,
            let place = line.firstIndex(where: { $0.commit == merge.commit }),
            // Within a merge it is the last of the line, which neither of its sides has broken.
            depth == 0 || place < last, depth < Self.deepest
        else { return finding }
        do {
            return try await look(into: merge, search.tally(at: place), finding, depth)
        } catch let error as GitError {
            // The merge is certain already, whatever this clone lacks.
            var whole = finding
            whole.detail = "Which of the merged commits it was is not known: git failed to \(error)"
            return whole
        } catch {
            guard isOver else { throw error }
            return finding
        }
    }

    /// Asks the search what to do until it has an answer.
    private mutating func answer(
        of search: inout CulpritSearch, in line: [LineCommit], _ detail: String?
    ) async throws -> Finding {
        var detail = detail
        while true {
            let costs = CulpritSearch.Costs(
                build: seconds.build, run: seconds.run, built: line.firstIndex { $0.tree == built })
            switch search.next(costs) {
            case .named(let places, let probability):
                return Finding(suspects: Array(line[places]), probability: probability)
            case .notNamed(let reason): return Self.unnamed(reason, line, search, detail)
            case .run(let place, let times):
                let observation = try await observe(line[place], times: times)
                if let why = Self.take(observation, at: place, &search), place == 0 || place == search.last {
                    detail = why
                }
                if case .cutShort = observation { return Self.unnamed(.cutShort, line, search, detail) }
                tell(words(line[place], observation, left: search.left))
            }
        }
    }

    private static func unnamed(
        _ reason: CulpritSearch.Reason, _ line: [LineCommit], _ search: CulpritSearch, _ detail: String?
    ) -> Finding {
        let leading = search.leading
        return Finding(
            suspects: leading.map { Array(line[$0.places]) } ?? [], probability: leading?.probability ?? 0,
            reason: reason, detail: detail)
    }

    /// Takes an observation in; answers why the test could not be run, if it could not.
    private static func take(_ observation: Observation, at place: Int, _ search: inout CulpritSearch) -> String? {
        switch observation {
        case .ran(let failures, let passes): take((failures, passes), at: place, &search)
        case .notTested(let why):
            search.skip(place)
            return why
        case .cutShort: break
        }
        return nil
    }

    private static func take(
        _ tally: (failures: Int, passes: Int), at place: Int, _ search: inout CulpritSearch
    ) {
        for _ in 0..<tally.failures { search.observe(isFailure: true, at: place) }
        for _ in 0..<tally.passes { search.observe(isFailure: false, at: place) }
    }
}

extension CulpritHunt {
    /// Runs both ends, alone and, where that does not tell them apart, among all other tests; then the test is run in that way.
    ///
    /// - Returns: Why an end cannot be tested, if that is so.
    private mutating func checkEnds(_ line: [LineCommit], _ search: inout CulpritSearch) async throws -> String? {
        let (first, last) = (0, line.count - 1)
        var alone: [(place: Int, tally: (failures: Int, passes: Int))] = []
        for way in [TrialRequest.Way.alone, .inCompany(of: nil)] {
            self.way = way
            var seen: [(place: Int, tally: (failures: Int, passes: Int))] = []
            var tellsApart = true
            for place in [last, first] where tellsApart {
                let wanted = place == last
                var tally = (failures: 0, passes: 0)
                while (wanted ? tally.failures : tally.passes) == 0, tally.failures + tally.passes < Self.triesOfEnd {
                    // Once it did something else, it is repeated at once for the rest.
                    let times = tally.failures + tally.passes == 0 ? 1 : Self.triesOfEnd - 1
                    let observation = try await observe(line[place], times: times)
                    tell("the \(wanted ? "bad" : "good") end " + words(line[place], observation, left: nil))
                    guard case .ran(let failures, let passes) = observation else {
                        let known = alone.isEmpty ? seen : alone
                        for entry in known { Self.take(entry.tally, at: entry.place, &search) }
                        self.way = .alone
                        return Self.take(observation, at: place, &search)
                    }
                    tally.failures += failures
                    tally.passes += passes
                }
                seen.append((place, tally))
                tellsApart = (wanted ? tally.failures : tally.passes) > 0
            }
            if tellsApart {
                for entry in seen { Self.take(entry.tally, at: entry.place, &search) }
                return nil
            }
            if alone.isEmpty {
                alone = seen
                tell("alone the test does not tell the ends apart; now among all other tests")
            }
        }
        way = .alone
        for entry in alone { Self.take(entry.tally, at: entry.place, &search) }
        return nil
    }

    /// Looks which of the commits that a merge brought broke the test, or whether only the merge did.
    private mutating func look(
        into merge: LineCommit, _ broken: (failures: Int, passes: Int), _ finding: Finding, _ depth: Int
    ) async throws -> Finding {
        guard merge.parents.count == 2 else { return finding }
        let repository = judge.repository
        let merged = try await repository.line(
            to: merge.parents[1], from: merge.parents[0], limit: Self.mostCommits)
        guard let start = merged.last?.parents.first,
            let good = try await repository.line(to: start, limit: 1).first
        else { return finding }
        tell("\(Self.name(merge)) merges \(Figures.counted(merged.count, "commit")): looking among them")
        let line = [good] + Array(merged.reversed()) + [merge]
        var inner = try await find(in: line, broken: broken, depth: depth + 1)
        guard inner.reason == nil else {
            var whole = finding
            whole.detail = "Which of the merged commits it was is not known."
            return whole
        }
        inner.probability *= finding.probability
        if inner.suspects.last?.commit != merge.commit { inner.merge = merge }
        return inner
    }

    /// `1a2b3c4d passes (2 of 2), 13 commits left`.
    private func words(_ commit: LineCommit, _ observation: Observation, left: Int?) -> String {
        let left = left.map { ", \(Figures.counted($0, "commit")) left" } ?? ""
        switch observation {
        case .ran(let failures, let passes):
            let all = failures + passes
            let verb = failures > passes ? "fails" : "passes"
            return "\(Self.name(commit)) \(verb) (\(max(failures, passes)) of \(all))\(left)"
        case .notTested(let why): return "\(Self.name(commit)) cannot be tested: \(why)\(left)"
        case .cutShort: return "\(Self.name(commit)): the time is over"
        }
    }

    private static func name(_ commit: LineCommit) -> String { String(commit.commit.hexadecimal.prefix(8)) }
}

extension CulpritHunt {
    /// Runs the test with what a commit builds.
    private mutating func observe(_ commit: LineCommit, times: Int) async throws -> Observation {
        guard !Task.isCancelled, timeLeft > .zero else { return .cutShort }
        do {
            let report = try await trial(commit, times: times)
            return Task.isCancelled && report.rounds.isEmpty ? .cutShort : observation(report)
        } catch {
            if Task.isCancelled || timeLeft == .zero { return .cutShort }
            guard let why = Self.reason(error) else { throw error }
            return .notTested(why)
        }
    }

    private mutating func trial(_ commit: LineCommit, times: Int) async throws -> TrialReport {
        let (surroundings, repository, tell) = (judge.surroundings, judge.repository, self.tell)
        let (settings, _) = try await judge.context(of: commit.tree)
        let shadow = try await ShadowTree.open(
            in: repository, for: .culprits, owner: judge.lockOwner, timeout: timeLeft
        ) { holder in
            tell("waiting for \(holder?.description ?? "another search")")
        }
        let laidOut = try await shadow.materialize(commit.tree)
        repository.rest()
        let package = TestedPackage(
            root: surroundings.real(judge.subpath.folder(in: laidOut.path)), project: project,
            revision: Revision(
                commit: commit.commit.hexadecimal, tree: commit.tree.hexadecimal, folder: judge.subpath.folder,
                branch: nil, subject: commit.subject, author: commit.author, isDirty: false),
            repositoryCeiling: surroundings.real(shadow.home))
        let isBuilt = built == commit.tree
        built = commit.tree
        trees.insert(commit.tree)
        let report = try await judge.checkpoint.trial(
            Checkpoint.Subject(package: package, settings: settings),
            TrialRequest(rounds: [TrialRequest.Round([test], way, repetitions: times)], budget: timeLeft),
            limit: timeLeft, progress: progress)
        shadow.close()
        // The newest times count most: what a commit takes is like what its neighbors take.
        if !isBuilt { seconds.build = (seconds.build + 2 * (report.preparing / .seconds(1))) / 3 }
        if let round = report.rounds.first, let tally = round.entries.first?.tally, tally.executions > 0 {
            seconds.run = round.duration / .seconds(1) / Double(tally.executions)
            runs += tally.executions
        }
        return report
    }

    private func observation(_ report: TrialReport) -> Observation {
        switch report.obstacle {
        case .scriptsFailed(let why):
            return isOver ? .cutShort : .notTested("its scripts before the build fail: \(why)")
        case .notBuilt: return isOver ? .cutShort : .notTested("it does not build")
        case .noTests: return .notTested("it has no tests")
        case .notListed(let why): return isOver ? .cutShort : .notTested("its tests cannot be listed: \(why)")
        case nil: break
        }
        if report.missing.contains(test) { return .notTested("it has no such test") }
        guard let round = report.rounds.first, let tally = round.entries.first?.tally else { return .cutShort }
        if tally.executions > 0 { return .ran(failures: tally.failures, passes: tally.passed) }
        guard round.isComplete else { return .cutShort }
        return .notTested(tally.skipped > 0 ? "it skips the test" : "the test comes to no end")
    }

    private var isOver: Bool { Task.isCancelled || timeLeft == .zero }

    /// Why a commit cannot be tested, if that is its own fault; a search goes on without it.
    private static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as SettingsError: return "its settings cannot be used: \(error)"
        case let problem as Problem where problem.status == .badConfiguration:
            return "its settings cannot be used: \(problem.reason)"
        case let error as RunnerError:
            switch error {
            case .packageNotFound: return "it has no such package"
            case .manifestInvalid: return "its manifest is not valid"
            case .manifestOverdue, .descriptionUnreadable, .refused, .testBinaryNotFound, .invalidFilter,
                .productsUnusable:
                return "\(error)"
            case .swiftNotFound, .toolNotFound, .toolchainUnreadable, .scratchBusy, .notStarted, .isolationRefused,
                .notMutable, .interrupted, .runDirectory, .fileSystem:
                return nil
            }
        default: return nil
        }
    }
}
