/// What the sources of a target say of other targets of the package that its manifest does not: SwiftPM lets a source import whatever
/// was built before, and a test may start a program that its target does not depend on.
///
/// In doubt there is a dependency: words in comments count, too.
public struct UndeclaredDependencies: Sendable {
    /// By the names of targets, the names of those that they depend on; none where the sources name no other.
    public private(set) var targets: [String: Set<String>] = [:]
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
            if Self.importing.contains(where: { word.elementsEqual($0.utf8) }) { rest = 2 }
            if Self.starting.contains(where: { word.elementsEqual($0.utf8) }) { named.formUnion(programs) }
        }
        named.remove(target)
        if !named.isEmpty { targets[target, default: []].formUnion(named) }
    }

    private static let importing = ["import", "canImport"]
    /// What starts a program.
    private static let starting = [
        "Process", "Subprocess", "NSTask", "posix_spawn", "posix_spawnp", "fork", "vfork", "execv", "execve", "execvp",
        "execl",
        "execlp", "popen", "system",
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
