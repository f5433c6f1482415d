public import Evidence
import RunModel

/// What people call the functions of a coverage export, by symbol.
public struct FunctionNames: Sendable, Hashable {
    private var names: [Name: String] = [:]

    /// Nobody said.
    public init() {}

    /// Pairs symbols with what a demangler printed for them, line by line; `nil` when it printed more or fewer lines.
    public init?(symbols: [String], demangled: String) {
        let lines = demangled.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == symbols.count || (lines.count == symbols.count + 1 && lines.last == "") else { return nil }
        for (symbol, line) in zip(symbols, lines) where Name(symbol) != Name(line) {
            names[Name(symbol)] = String(line)
        }
    }

    /// Reads lines of a symbol, a tab and its name, as far as the budget reaches; what is no such line says nothing.
    package init(_ document: LentBytes, _ budget: EvidenceBudget) {
        document.forEachLine { line, _ in
            guard !budget.isSpent, let tab = line.find("\t") else { return }
            budget.count(.function)
            budget.count(bytes: line.count)
            names[Name(line.upTo(tab).text)] = line.from(tab + 1).text
        }
    }

    /// The names that a run directory holds; none where there are none, or they cannot be read.
    public init(in directory: RunDirectory) { self.init(in: directory, EvidenceBudget()) }

    /// The same as far as a budget reaches.
    package init(in directory: RunDirectory, _ budget: EvidenceBudget) {
        // All shards of a merged run are of the same build.
        let shards = ((try? directory.manifest())?.merge?.shards ?? []).filter(RunDirectory.isContained)
        let folders = [directory] + shards.map { RunDirectory(path: directory.location(of: $0)) }
        self = folders.lazy.compactMap { Self.kept(in: $0, budget) }.first ?? FunctionNames()
    }

    private static func kept(in directory: RunDirectory, _ budget: EvidenceBudget) -> FunctionNames? {
        guard let artifact = (try? directory.manifest())?.artifacts.first(where: { $0.role == .functionNames }) else {
            return nil
        }
        return try? directory.lent(artifact) { FunctionNames($0, budget) }
    }

    /// The bytes that give the same names when they are read, ordered by symbol.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (symbol, name) in names.sorted(by: { $0.key < $1.key }) {
            bytes += symbol.text.utf8
            bytes.append(UInt8(ascii: "\t"))
            bytes += name.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// What the function of a symbol is called; the symbol itself where nobody said.
    public subscript(symbol: String) -> String { names[Name(symbol)] ?? symbol }

    package mutating func add(_ other: FunctionNames) { names.merge(other.names) { first, _ in first } }
}

extension CoverageExport.Function {
    /// The symbol without the file name that precedes the symbol of a private function.
    public var symbol: String {
        guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
        return String(name[name.utf8.index(after: colon)...])
    }
}

extension CoverageExport {
    /// The symbols of the functions, each once, in order.
    public var symbols: [String] {
        var seen: Set<Name> = []
        return functions.map(\.symbol).filter { seen.insert(Name($0)).inserted }
    }
}
