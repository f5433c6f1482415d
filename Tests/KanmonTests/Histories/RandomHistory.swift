import Foundation
import RunModel
import TestSupport

/// A random history of a repository with two packages: what people do to branches, and what is tested when.
struct RandomHistory {
    /// A commit; its number is its place in the list.
    struct Commit {
        let parents: [Int]
        /// What the files are, but for the settings: equal contents are equal files.
        let content: Int
        /// The floor of every package, in percent.
        let floors: [Int]
        /// Whether its message waives a lower floor.
        let waives: Bool

        var message: String {
            waives ? "m\n\nKanmon-Waiver: default-floor-lowered until=2026-02-01 why\n" : "m\n"
        }
    }

    /// How a run comes about.
    enum Kind: CaseIterable {
        case ci, local, laptop, workingCopy, staged, refusedPush, shard, otherBase
    }

    /// A run of a commit of a branch.
    struct Test {
        let commit: Int
        let branch: String
        let package: Int
        let kind: Kind
        /// Whether a tree that is known is tested again.
        let isFresh: Bool
        /// Whether evidence goes missing.
        let isUnsure: Bool
        /// The commit that `main` pointed at.
        let main: Int
    }

    private(set) var commits: [Commit] = [Commit(parents: [], content: 0, floors: [30, 30], waives: false)]
    private(set) var tests: [Test] = []
    private var main = 0
    private var mains = [0]
    private var topics: [Int] = []
    private var contents = 0
    private var random: SplitMix64

    init(seed: UInt64, steps: Int = 24) {
        random = SplitMix64(seed: seed)
        for _ in 0..<steps { step() }
        // Whatever happened, the last state is tested.
        for package in 0..<2 { test(main, on: "main", package, kind: .ci) }
    }

    /// Whether the tests of a package fail on these files.
    static func fails(_ content: Int, _ package: Int) -> Bool { (content &* 7 &+ package &* 3) % 9 == 4 }

    /// A commit and all that lead to it, by the plainest of ways.
    func history(of commit: Int) -> Set<Int> {
        commits[commit].parents.reduce(into: [commit]) { $0.formUnion(history(of: $1)) }
    }

    private mutating func step() {
        let onMain = topics.isEmpty || random.below(2) == 0
        let topic = random.below(topics.count)
        let tip = onMain ? main : topics[topic]
        switch random.below(14) {
        case 0, 1:
            contents += 1
            commit([tip], contents, commits[tip].floors, onMain, topic)
        case 2, 3: commit([tip], commits[tip].content, changed(commits[tip].floors, by: -10), onMain, topic)
        case 4: commit([tip], commits[tip].content, changed(commits[tip].floors, by: 10), onMain, topic)
        case 5: commit([tip], commits[tip].content, commits[tip].floors, onMain, topic)
        case 6: commit([tip], commits[tip].content, commits[tip].floors, onMain, topic, waives: true)
        case 7:
            // A revert: the files and settings of some commit before.
            let before = history(of: tip).sorted()
            let old = before[random.below(before.count)]
            commit([tip], commits[old].content, commits[old].floors, onMain, topic)
        case 8: if topics.count < 3 { topics.append(main) }
        case 9: if !topics.isEmpty { merge(topics[topic], into: true, topic) }
        case 10: if !topics.isEmpty { merge(main, into: false, topic) }
        case 11:
            if !topics.isEmpty, history(of: topics[topic]).contains(main) {
                main = topics[topic]
                mains.append(main)
            }
        default:
            let kind = random.below(3) == 0 ? Kind.allCases[random.below(Kind.allCases.count)] : .ci
            let isOlder = onMain && random.below(4) == 0
            test(
                isOlder ? mains[random.below(mains.count)] : tip, on: onMain ? "main" : "topic/\(topic)",
                random.below(2), kind: kind)
        }
    }

    private mutating func test(_ commit: Int, on branch: String, _ package: Int, kind: Kind) {
        tests.append(
            Test(
                commit: commit, branch: branch, package: package, kind: kind, isFresh: random.below(4) == 0,
                isUnsure: random.below(10) == 0, main: main))
    }

    private mutating func commit(
        _ parents: [Int], _ content: Int, _ floors: [Int], _ onMain: Bool, _ topic: Int, waives: Bool = false
    ) {
        commits.append(Commit(parents: parents, content: content, floors: floors, waives: waives))
        if onMain {
            main = commits.count - 1
            mains.append(main)
        } else {
            topics[topic] = commits.count - 1
        }
    }

    private mutating func merge(_ other: Int, into onMain: Bool, _ topic: Int) {
        let tip = onMain ? main : topics[topic]
        guard !history(of: tip).contains(other), !history(of: other).contains(tip) else { return }
        contents += 1
        let floors = [commits[tip].floors, commits[other].floors][random.below(2)]
        commit([tip, other], contents, floors, onMain, topic)
    }

    private mutating func changed(_ floors: [Int], by step: Int) -> [Int] {
        var floors = floors
        let package = random.below(2)
        floors[package] = min(50, max(10, floors[package] + step))
        return floors
    }
}

extension RandomHistory {
    /// The full name of a commit; that of a history is its own.
    func name(_ commit: Int, _ seed: UInt64) -> String { Self.hexadecimal(commit, seed, mark: 0xC) }

    /// The full name of the tree of a commit: equal files and settings have the same.
    func tree(_ commit: Int, _ seed: UInt64) -> String {
        let (content, floors) = (commits[commit].content, commits[commit].floors)
        return Self.hexadecimal(content * 10_000 + floors[0] * 100 + floors[1], seed, mark: 0x7)
    }

    private static func hexadecimal(_ number: Int, _ seed: UInt64, mark: UInt64) -> String {
        let digits = String(number, radix: 16)
        var random = SplitMix64(seed: seed &* 1000 &+ UInt64(number) &* 16 &+ mark)
        let start = String(random.next() | 1 << 63, radix: 16)
        return start + String(repeating: "0", count: 40 - start.count - digits.count) + digits
    }
}
