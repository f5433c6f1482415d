import Foundation
import Gate
import Repository
import RunModel
import TestRunning

/// Looks for the commit that broke a test: has it run with what commits of a line build.
struct CulpritHunt: Sendable {
    /// Runs the test a given number of times with what a commit builds; see `CulpritTrial`.
    typealias Trial =
        @Sendable (
            _ commit: LineCommit, _ way: TrialRequest.Way, _ times: Int
        ) async throws -> TrialReport

    /// What was found of a line.
    struct Finding: Sendable {
        /// The commits that may have broken the test, the oldest first; the most probable ones so far where none can be named.
        var suspects: [LineCommit]
        var probability: Double
        /// The merge that brought it into the line.
        var merge: LineCommit?
        /// Why no commit can be named; `nil` if one is.
        var reason: CulpritSearch.Reason?
        /// More about the reason, or why no more than a merge is named; may hold untrusted text.
        var detail: String?

        /// The same with more about it.
        func saying(_ detail: String) -> Finding {
            var finding = self
            finding.detail = detail
            return finding
        }
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
    /// More commits that cannot be told apart are no name.
    static let mostSuspects = 20
    /// A run counts at least as this part of a build: else one that takes no time would be repeated for nearly nothing that it tells.
    private static let leastOfBuild = 0.01

    let repository: GitRepository
    let test: TestID
    /// What is known before anything is run.
    let knowledge: CulpritKnowledge
    let deadline: SuspendingClock.Instant
    let tell: @Sendable (String) -> Void
    private let trial: Trial

    /// How often the test ran.
    private(set) var runs = 0
    private var trees: Set<ObjectID> = []
    private var built: ObjectID?
    /// How long it takes to build a commit, and to run the test once, in seconds: a guess until it was done.
    private var seconds = (build: 20.0, run: 1.0)
    private var way = TrialRequest.Way.alone

    init(
        of test: TestID, in repository: GitRepository, knowing knowledge: CulpritKnowledge,
        until deadline: SuspendingClock.Instant, tell: @escaping @Sendable (String) -> Void, trial: @escaping Trial
    ) {
        (self.test, self.repository, self.knowledge, self.deadline) = (test, repository, knowledge, deadline)
        (self.tell, self.trial) = (tell, trial)
    }

    /// How many trees were built.
    var builds: Int { trees.count }

    private var isOver: Bool { Task.isCancelled || SuspendingClock.now >= deadline }

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
            throw Problem(
                .usage, "there is no commit between the two ends",
                hint: "name an earlier commit with --good, or a later one with --bad")
        }
        let last = search.last
        // What is stored of a bad end that was run already is in its tally.
        for (place, commit) in line.enumerated() where broken == nil || place < last {
            let known = try await knowledge.outcomes(of: commit.tree)
            if known.failures + known.passes > 0 {
                search.know(failures: known.failures, passes: known.passes, at: place)
            }
        }
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
            return finding.saying("\(Self.unknownCommit): git failed to \(error)")
        } catch {
            guard isOver else { throw error }
            return finding.saying("\(Self.unknownCommit).")
        }
    }

    private static let unknownCommit = "Which of the merged commits it was is not known"

    /// Asks the search what to do until it has an answer.
    private mutating func answer(
        of search: inout CulpritSearch, in line: [LineCommit], _ detail: String?
    ) async throws -> Finding {
        var detail = detail
        while true {
            let costs = CulpritSearch.Costs(
                build: seconds.build, run: max(seconds.run, seconds.build * Self.leastOfBuild),
                built: line.firstIndex { $0.tree == built })
            switch search.next(costs) {
            case .named(let places, let probability):
                guard places.count <= Self.mostSuspects else {
                    let all = "\(Figures.counted(places.count, "commit")), of which only the last can be tested"
                    return Self.unnamed(.severalLeft, line, search, "It is one of \(all).")
                }
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
        // Nobody is suspected before both ends were seen.
        let isBegun = [0, search.last].allSatisfy { place in
            let tally = search.tally(at: place)
            return tally.failures + tally.passes > 0
        }
        let leading = isBegun ? search.leading : nil
        return Finding(
            suspects: leading.map { Array(line[$0.places].suffix(mostSuspects)) } ?? [],
            probability: leading?.probability ?? 0,
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
        guard merge.parents.count > 1 else { return finding }
        guard merge.parents.count == 2 else {
            return finding.saying("\(Self.unknownCommit): it merges several branches at once.")
        }
        let merged = try await repository.line(
            to: merge.parents[1], from: merge.parents[0], limit: Self.mostCommits)
        guard let oldest = merged.last else { return finding }
        guard merged.count < Self.mostCommits, let start = oldest.parents.first,
            let good = try await repository.line(to: start, limit: 1).first
        else {
            return finding.saying("\(Self.unknownCommit): where they left the branch is not in this clone.")
        }
        tell("\(Self.name(merge)) merges \(Figures.counted(merged.count, "commit")): looking among them")
        let line = [good] + Array(merged.reversed()) + [merge]
        var inner = try await find(in: line, broken: broken, depth: depth + 1)
        guard inner.reason == nil else { return finding.saying("\(Self.unknownCommit).") }
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
        guard !isOver else { return .cutShort }
        let isBuilt = built == commit.tree
        built = nil
        do {
            let report = try await trial(commit, way, times)
            built = commit.tree
            trees.insert(commit.tree)
            learn(from: report, isBuilt: isBuilt)
            return Task.isCancelled && report.rounds.isEmpty ? .cutShort : observation(report)
        } catch {
            if isOver { return .cutShort }
            guard let why = CulpritTrial.reason(error) else { throw error }
            return .notTested(why)
        }
    }

    /// Learns how long it takes: the newest times count most, as what a commit takes is like what its neighbors take.
    private mutating func learn(from report: TrialReport, isBuilt: Bool) {
        if !isBuilt {
            let preparing = report.preparing / .seconds(1)
            seconds.build = (seconds.build + 2 * preparing) / 3
        }
        guard let round = report.rounds.first, let tally = round.entries.first?.tally, tally.executions > 0 else {
            return
        }
        let duration = round.duration / .seconds(1)
        seconds.run = duration / Double(tally.executions)
        runs += tally.executions
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
}
