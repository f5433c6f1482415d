import Gate
import RunModel

/// What has to be said of a random history, found out in the plainest way: sets of commits, and no store.
struct HistoryModel {
    /// What somebody said of a commit on a branch.
    struct Said {
        let commit: Int
        let branch: String
        let package: Int
        let decision: Decision
        /// Which run said so, by the order in which runs were made.
        let run: Int
        let isState: Bool
    }

    /// A run that was made.
    struct Made {
        let tree: String
        let package: Int
        /// Whether it is whole, of an exact tree, and trusted.
        let speaks: Bool
        /// Whether it is of an exact tree and trusted, whole or not.
        let isTrusted: Bool
        let isUnsure: Bool
        let fails: Bool
    }

    let history: RandomHistory
    let seed: UInt64
    private(set) var said: [Said] = []
    private(set) var made: [Made] = []

    init(_ history: RandomHistory, seed: UInt64) {
        self.history = history
        self.seed = seed
    }

    /// What the commits of a branch are known as: the last word on each.
    func states(_ branch: String, _ package: Int) -> [Int: Decision] {
        var states: [Int: Decision] = [:]
        for word in said where word.isState && word.branch == branch && word.package == package {
            states[word.commit] = word.decision
        }
        return states
    }

    /// The last word on the state of `main` that has all others before it.
    func tip(_ package: Int) -> Said? {
        let words = said.filter { $0.isState && $0.branch == "main" && $0.package == package }
        let all = Set(words.map(\.commit))
        let last = all.first { history.history(of: $0).isSuperset(of: all) }
        return words.last { $0.commit == last }
    }

    /// The commits that a commit is compared with.
    func bases(of commit: Int, main: Int, _ package: Int) -> Set<Int> {
        let before = history.history(of: commit).subtracting([commit])
        guard history.history(of: main).contains(commit) else {
            return latest(of: history.history(of: main).intersection(history.history(of: commit)))
        }
        let states = states("main", package).filter { before.contains($0.key) }
        let passed = Set(states.filter { $0.value == .passed }.keys)
        if !passed.isEmpty { return latest(of: passed) }
        if states.isEmpty { return latest(of: Set(history.commits[commit].parents)) }
        let first = states.keys.filter { history.history(of: $0).intersection(states.keys) == [$0] }
        return latest(
            of: Set(
                first.flatMap { history.commits[$0].parents.isEmpty ? [$0] : history.commits[$0].parents }))
    }

    /// Those that no other one of them comes from.
    private func latest(of commits: Set<Int>) -> Set<Int> {
        commits.filter { commit in
            !commits.contains { $0 != commit && history.history(of: $0).contains(commit) }
        }
    }

    /// Whether a commit lowers the floor of one of its bases, and nobody waives it.
    func isWeaker(_ commit: Int, than bases: Set<Int>, _ package: Int) -> Bool {
        bases.contains { base in
            let since = history.history(of: commit).subtracting(history.history(of: base))
            return history.commits[base].floors[package] > history.commits[commit].floors[package]
                && !since.contains { history.commits[$0].waives }
        }
    }

    func decision(_ commit: Int, against bases: Set<Int>, _ package: Int, isUnsure: Bool, fails: Bool) -> Decision {
        if isUnsure { return .undecided }
        return fails || isWeaker(commit, than: bases, package) ? .failed : .passed
    }

    /// The run that answers for a tree, by its number; `nil` where the tests have to be run.
    func known(_ tree: String, _ package: Int) -> Int? {
        newest(tree, package).flatMap { made[$0].isUnsure ? nil : $0 }
    }

    /// The newest run that speaks for a tree.
    func newest(_ tree: String, _ package: Int) -> Int? {
        made.lastIndex { $0.tree == tree && $0.package == package && $0.speaks }
    }

    mutating func make(_ run: Made) -> Int {
        made.append(run)
        return made.count - 1
    }

    mutating func say(_ word: Said) { said.append(word) }
}
