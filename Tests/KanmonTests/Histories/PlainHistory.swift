import Foundation
import Gate
import RunModel
import Storage

@testable import Repository

/// A random history without files: names of commits with their parents, by which the program's `Ancestry` finds the bases.
///
/// Where a commit left `main`, the program asks git. Here that is what both have and nothing else that both have comes from, by the same
/// `Ancestry`; in a `RepositoryHistory` git says it.
struct PlainHistory: HistoryGround {
    let history: RandomHistory
    let seed: UInt64
    let store: RunStore

    func name(_ commit: Int) -> String { history.name(commit, seed) }
    func tree(_ commit: Int) -> String { history.tree(commit, seed) }
    func project(_ package: Int) -> String { "history-\(seed)/\(package)" }

    func comparison(of commit: Int, main: Int, _ package: Int) throws -> HistoryComparison {
        let bases = try bases(of: commit, main: main, package)
        return HistoryComparison(
            bases: bases, policy: settings(commit, package).policy, baseline: baseline(commit, bases, package))
    }

    func audit(of commit: Int, main: Int, _ package: Int) -> HistoryAudit? { nil }

    func answer(
        on commit: Int, main: Int, _ package: Int, as revision: Revision, like inputs: RunInputs, at moment: Date
    ) -> HistoryAnswer { .nobody }

    private func bases(of commit: Int, main: Int, _ package: Int) throws -> [String] {
        let parents = history.commits.indices.map { (name($0), history.commits[$0].parents.map(name)) }
        let ancestry = Ancestry(parents: Dictionary(uniqueKeysWithValues: parents), cut: [])
        func all(_ commit: Int) -> [String] { [name(commit)] + ancestry.ancestors(of: name(commit)).found }
        let own = Set(all(commit))
        let common = ancestry.independent(all(main).filter { own.contains($0) })
        guard common == [name(commit)] else { return common }
        let known = try store.states(ofBranch: "main", project: project(package))
        let states = BranchStates(
            passed: Set(known.filter { $0.value == .passed }.keys), judged: Set(known.keys))
        guard case .found(let base, let others) = ancestry.base(of: name(commit), on: "main", knowing: { states })
        else { return [] }
        return ([base] + others).map(\.commit)
    }

    private func settings(_ commit: Int, _ package: Int) -> GateSettings {
        var policy = Policy()
        policy.defaultFloors = Floors(line: Percentage(thousandths: history.commits[commit].floors[package] * 1000))
        return GateSettings(policy: policy)
    }

    private func baseline(_ commit: Int, _ bases: [String], _ package: Int) -> Baseline? {
        let numbers = bases.compactMap { base in history.commits.indices.first { name($0) == base } }
        let all = numbers.map { base in
            let since = history.history(of: commit).subtracting(history.history(of: base))
            var waivers = WaiverReading()
            for entry in since.sorted() {
                waivers.read(message: history.commits[entry].message, of: name(entry))
            }
            return Baseline(
                commit: BaseCommit(commit: name(base), kind: .passed, name: "main"),
                settings: settings(base, package), head: settings(commit, package), waivers: waivers)
        }
        guard var first = all.first else { return nil }
        if all.count > 1 { first.others = all.dropFirst().map { Baseline.OtherBase($0) } }
        return first
    }
}
