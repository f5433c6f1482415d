import RunModel

/// Who owns a file, and the lines of `CODEOWNERS` that say so.
public struct FileOwners: Sendable, Hashable, Codable {
    /// How many owners of a file are named at most.
    public static let most = 50

    /// Users, teams, roles and addresses in the order of the lines, each once, the first `most`; none where a line says that nobody owns it.
    /// Untrusted text.
    public var owners: [String]
    /// The lines that decide.
    public var rules: [OwnerRule]

    package init(owners: [String], rules: [OwnerRule]) { (self.owners, self.rules) = (owners, rules) }

    fileprivate init(_ rules: [OwnerRule]) {
        var owners: [String] = []
        var known: Set<Name> = []
        for owner in rules.lazy.flatMap(\.owners) where known.insert(Name(owner)).inserted {
            owners.append(owner)
            if owners.count == Self.most { break }
        }
        self.init(owners: owners, rules: rules)
    }
}

/// A `CODEOWNERS` file that has been read, and is asked for the owners of paths.
///
/// What a path costs follows from its length and that of all patterns, whatever they are: they are matched together, and what is beyond
/// a limit is not read at all, since a line that is left out would give its files to somebody else.
public struct CodeOwners: Sendable {
    /// The longest path that is looked up, in bytes.
    public static let longestPath = 1024

    /// What was read.
    public let file: CodeOwnersFile
    /// Why nobody is known to own anything; `nil` where the file was read.
    public let fault: String?
    /// The first lines that are invalid and have no effect.
    public let skipped: [SkippedOwnerLine]
    /// How many lines are invalid.
    public let skippedCount: Int

    private let rules: [OwnerRule]
    private let sections: [Int]
    private let index: OwnerIndex
    private let expressions: [LinearExpression]
    /// What a byte of a path costs, in operations.
    let weight: Int

    /// Reads a file.
    public init(_ file: CodeOwnersFile) {
        self.file = file
        guard file.fault == nil, let form = file.form else {
            fault = file.fault ?? "nothing tells its form"
            (skipped, skippedCount, rules, sections, expressions) = ([], 0, [], [], [])
            (index, weight) = (OwnerIndex([]), 1)
            return
        }
        let read = OwnerRules(file.text, form: form)
        fault = read.fault
        (skipped, skippedCount) = (read.skipped, read.skippedCount)
        (rules, sections) = read.fault == nil ? (read.rules, read.sections) : ([], [])
        expressions = read.fault == nil ? read.expressions : []
        index = OwnerIndex(read.fault == nil ? read.globs : [])
        // A step of an expression costs as much as some words of a machine.
        weight = index.weight + 4 * expressions.reduce(0) { $0 + $1.size }
    }

    /// Who owns a file of the package; `nil` where no line is about it, and where nobody can say.
    ///
    /// - Parameter path: Relative to the package, as runs record paths. One that leads out of it has no owner.
    public func owners(of path: String) -> FileOwners? {
        owners(inRepository: file.folder.isEmpty ? path : "\(file.folder)/\(path)")
    }

    /// Who owns a file of the repository.
    ///
    /// - Parameter path: Relative to the top of the repository.
    public func owners(inRepository path: String) -> FileOwners? {
        guard fault == nil, Self.isPath(path) else { return nil }
        switch file.form {
        case .gitHub: return index.rules(for: path).max().map { FileOwners([rules[$0]]) }
        case .gitLab: return ofSections(index.rules(for: path))
        case .gitea:
            let own = rules.indices.filter { expressions[$0].matches(path) != rules[$0].isNegated }
            return own.isEmpty ? nil : FileOwners(own.map { rules[$0] })
        case nil: return nil
        }
    }

    /// The owners that the sections name, each by its last line that matches, unless it takes the file out.
    private func ofSections(_ found: [Int]) -> FileOwners? {
        var last: [Int: Int] = [:]
        // What a section takes out it names no owner of, wherever in it that stands.
        var excluding: [Int: Int] = [:]
        for index in found {
            let section = sections[index]
            last[section] = max(last[section] ?? index, index)
            if rules[index].isNegated { excluding[section] = max(excluding[section] ?? index, index) }
        }
        guard !last.isEmpty else { return nil }
        let deciding = last.map { excluding[$0.key] ?? $0.value }
        return FileOwners(deciding.sorted().map { rules[$0] })
    }

    /// Whether it is a path within something, with nothing in it that leads elsewhere. No line is about any other.
    public static func isPath(_ path: String) -> Bool {
        guard path.utf8.count <= longestPath else { return false }
        return path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        }
    }
}
