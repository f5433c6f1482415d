import CodeCoverage
import Evidence
public import Gate
import Pages
public import RunModel
public import Storage
import TestResults

extension RunStore {
    /// A page of runs as a list shows them; `nil` when there is no run to continue behind.
    public func page(
        project: String?, before: RunID?, filter: RunFilter = RunFilter(), order: ListOrder = .newestFirst, limit: Int
    ) throws(StorageError) -> [RunSummary]? {
        if filter.isEmpty, order == .newestFirst {
            do {
                return try runs(project: project, before: before, limit: limit)
            } catch .unknownRun {
                return nil
            }
        }
        let scope = project.map { ProjectScope.named([$0]) } ?? .all
        return try page(in: scope, before: before, filter: filter, order: order, limit: limit)
    }

    /// A page of the runs of some projects; `nil` when there is no run to continue behind.
    func page(
        in scope: ProjectScope, before: RunID?, filter: RunFilter, order: ListOrder, limit: Int
    ) throws(StorageError) -> [RunSummary]? {
        do {
            return try runs(filter, in: scope, before: before, order: order, limit: limit)
        } catch .unknownRun {
            return nil
        }
    }

    /// Runs that tested the commit whose hash begins so, that tested what was staged for it, or that are judged for it, then runs whose id
    /// begins or ends so; of each kind the trusted or the newest first.
    ///
    /// Each kind has a quarter of the limit, and what one leaves goes to the others: anybody who delivers runs can make thousands of one kind.
    func find(_ text: String, in scope: ProjectScope, _ limit: Int) throws(StorageError) -> [RunSummary] {
        let tested = try runs(commit: text, in: scope, limit: limit)
        var known = Set(tested.map(\.id))
        let staged = try runs(stagedForCommit: text, in: scope, limit: limit).filter { !known.contains($0.id) }
        known.formUnion(staged.map(\.id))
        // A commit that an earlier run of its tree answers for has no run of its own.
        var judged: [RunSummary] = []
        for commit in try commits(beginning: text, in: scope, limit: limit) where judged.count < limit {
            for told in try verdicts(on: commit, in: scope, limit: limit) where told.isOfKnownTree {
                let isFound = judged.contains { $0.id == told.id && $0.judgedCommit == told.judgedCommit }
                if !isFound { judged.append(told) }
            }
        }
        var named: [RunSummary] = []
        for id in try runIDs(matching: text, in: scope, limit: limit) where !known.contains(id) {
            if let run = try summary(of: id) { named.append(run) }
        }
        return Self.shares(of: limit, [tested, staged, judged, named])
    }

    /// The first runs of some lists: of each an equal share of a limit, and what one leaves goes to the others, the first of them first.
    private static func shares(of limit: Int, _ lists: [[RunSummary]]) -> [RunSummary] {
        var counts = lists.map { min($0.count, limit / lists.count) }
        var rest = limit - counts.reduce(0, +)
        for place in lists.indices {
            let more = min(rest, lists[place].count - counts[place])
            counts[place] += more
            rest -= more
        }
        return zip(lists, counts).flatMap { list, count in list.prefix(count) }
    }

    /// How many bytes of sources are read for the excerpts of one page at most: 16 MiB.
    static let mostOfSources = 16 << 20

    /// The bytes of source files that a run kept, in the order asked for; `nil` for a file that it did not keep, that is too large to be
    /// shown, or that would make more than `most` bytes together with those before it.
    func sources(of id: RunID, _ paths: [String], most: Int = RunStore.mostOfSources) throws -> [[UInt8]?] {
        let kept = try evidence(of: id).flatMap { try KeptSources(in: $0) }
        var found: [[UInt8]?] = []
        var left = most
        for path in paths {
            try checkAwaited()
            do throws(EvidenceError) {
                let bytes = try kept?.bytes(of: path, limit: min(left, SourceText.largest))
                left -= bytes?.count ?? 0
                found.append(bytes)
            } catch {
                guard case .tooLarge = error else { throw error }
                found.append(nil)
            }
        }
        return found
    }

    /// The bytes of a source file that a run kept; `nil` if it did not keep it.
    ///
    /// - Throws: `EvidenceError.tooLarge` for one that is too large to be shown.
    func source(of id: RunID, _ path: String) throws -> [UInt8]? {
        let kept = try evidence(of: id).flatMap { try KeptSources(in: $0) }
        return try kept?.bytes(of: path, limit: SourceText.largest)
    }

    /// What the store does not keep of the coverage of a run, or of one file; `nil` where its directory is gone.
    func unexecuted(in id: RunID, of path: String? = nil) throws -> UnexecutedFiles? {
        try checkAwaited()
        return try evidence(of: id).flatMap {
            try UnexecutedFiles(in: $0, of: path, budget: EvidenceBudget(EvidenceBudget.ofPage))
        }
    }

    /// What the functions of a run are called for readers, as far as its directory tells.
    func functionNames(of id: RunID) throws(StorageError) -> FunctionNames {
        try checkAwaited()
        return try evidence(of: id).map { FunctionNames(in: $0, EvidenceBudget(EvidenceBudget.ofPage)) }
            ?? FunctionNames()
    }

    /// Where the evidence of a run lies; `nil` where nobody knows.
    private func evidence(of id: RunID) throws(StorageError) -> RunDirectory? {
        try summary(of: id)?.runDirectory.map { RunDirectory(path: $0) }
    }

    /// What changed from one run to another; `nil` when there is nothing to compare.
    func comparison(_ before: RunID, _ after: RunID) throws(StorageError) -> RunComparison? {
        do {
            return try titledComparison(before, after)
        } catch .unknownRun, .differentProjects {
            return nil
        }
    }
}
