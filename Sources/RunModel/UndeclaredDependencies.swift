/// The dependencies on other targets of the package that the sources of a target show and its manifest does not: SwiftPM lets a
/// source import whatever was built before, and a test may start a program that its target does not depend on.
///
/// In doubt there is a dependency: words in comments count, too.
public struct UndeclaredDependencies: Sendable {
    /// By the names of targets, the names of those that they depend on; none where the sources name no other.
    public private(set) var targets: [String: Set<String>] = [:]
    /// The names of targets that may start a program.
    private var starting: Set<String> = []
    /// The names of targets that name what may stand between a test and a program of the package, so that nobody records what that
    /// program executes: a shell or another program of the system, or a copy.
    private var between: Set<String> = []
    private let importable: [Name: String]
    private let programs: Set<String>

    /// Begins without any source.
    public init(in modules: [Module]) {
        importable = Dictionary(modules.map { (Name($0.compilerName), $0.name) }) { first, _ in first }
        programs = Set(modules.filter { $0.kind == .executable }.map(\.name))
    }

    /// Reads a source of a target.
    public mutating func read(_ source: [UInt8], of target: String) {
        var named: Set<String> = []
        var rest = 0
        var start: Int?
        for place in 0...source.count {
            let isWord = place < source.count && Self.isWord(source[place])
            if isWord {
                start = start ?? place
                continue
            }
            guard let first = start else { continue }
            start = nil
            let word = source[first..<place]
            if rest > 0 {
                // Behind `import` there may be a kind of declaration before the name.
                rest -= 1
                if let other = importable[Name(String(decoding: word, as: UTF8.self))] { named.insert(other) }
            }
            // None of the words that are looked for is longer.
            guard word.count <= 16 else { continue }
            let text = String(decoding: word, as: UTF8.self)
            if Self.importing.contains(text) { rest = 2 }
            if Self.starting.contains(text) {
                named.formUnion(programs)
                starting.insert(target)
            }
            if Self.between.contains(text) { between.insert(target) }
        }
        add(named, to: target)
    }

    /// Takes a source of a target that cannot be read: it may import everything, and start everything in any way.
    public mutating func readNothing(of target: String) {
        starting.insert(target)
        between.insert(target)
        add(programs.union(importable.values), to: target)
    }

    private mutating func add(_ others: Set<String>, to target: String) {
        let others = others.subtracting([target])
        if !others.isEmpty { targets[target, default: []].formUnion(others) }
    }

    /// The test targets whose tests may execute some targets although per-test coverage does not say so: they reach them only by what no
    /// manifest says, or may start a program that has them by another program, such as a shell, or as a copy.
    ///
    /// Of a program of the package that a test starts by itself a map knows what it executes.
    func testTargets(reaching changed: Set<String>, in modules: [Module]) -> Set<String> {
        let all = AffectedTests.dependents(of: changed, in: modules, undeclared: targets)
        var found = all.subtracting(AffectedTests.dependents(of: changed, in: modules, undeclared: [:]))
        if !programs.isDisjoint(with: all) {
            let starters = AffectedTests.dependents(of: starting, in: modules, undeclared: targets)
            found.formUnion(
                starters.intersection(AffectedTests.dependents(of: between, in: modules, undeclared: targets)))
        }
        return found.intersection(modules.filter { $0.kind == .test }.map(\.name))
    }

    private static let importing: Set = ["import", "canImport"]
    /// The names by which a source starts a program.
    private static let starting: Set = [
        "Process", "Subprocess", "NSTask", "posix_spawn", "posix_spawnp", "fork", "vfork", "execv", "execve", "execvp",
        "execvpe", "execl", "execle", "execlp", "popen", "system", "shellOut", "SwiftShell", "TSCBasic",
    ]
    /// What names or looks for a program of the system (`/bin/sh`, `/usr/bin/env`, `PATH`, `.name("make")`), or makes a copy of one.
    private static let between: Set = [
        "bin", "sh", "PATH", "posix_spawnp", "execvp", "execvpe", "execlp", "popen", "system", "Subprocess", "shellOut",
        "SwiftShell", "TSCBasic", "copyItem",
    ]

    /// Letters, digits, underscores, and all that is not ASCII.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }
}
