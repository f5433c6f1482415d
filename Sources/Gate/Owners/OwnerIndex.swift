import RunModel

/// Finds the rules whose pattern matches a path: names are looked up, and patterns with wildcards are matched all at once.
struct OwnerIndex: Sendable {
    private struct Place: Hashable {
        let name: Name
        /// Whether it is a path from the top, and not any part of a path.
        let isRooted: Bool
    }

    /// The rules about a file of this name, and about all that is in a folder of this name.
    private var files: [Place: [Int]] = [:]
    private var folders: [Place: [Int]] = [:]
    private let machine: PatternMachine
    /// What a byte of a path costs at most, in operations.
    let weight: Int

    /// - Parameter globs: By rule.
    init(_ globs: [OwnerGlob]) {
        var wild: [(index: Int, positions: [PatternMachine.Position])] = []
        for (index, glob) in globs.enumerated() {
            switch glob.matching {
            case .wild(let positions): wild.append((index: index, positions: positions))
            case .name(let name, let isRooted, let takesFile, let takesFolder):
                let place = Place(name: Name(name), isRooted: isRooted)
                if takesFile { files[place, default: []].append(index) }
                if takesFolder { folders[place, default: []].append(index) }
            }
        }
        machine = PatternMachine(positions: wild)
        let longest = (files.values.map(\.count).max() ?? 0) + (folders.values.map(\.count).max() ?? 0)
        weight = 1 + wild.reduce(0) { $0 + $1.positions.count } / 64 + longest
    }

    /// The rules, in no order; one may be found twice.
    func rules(for path: String) -> [Int] {
        var found: [Int] = []
        machine.run(over: path, withFolders: false) { found.append($0) }
        guard !files.isEmpty || !folders.isEmpty else { return found }
        let bytes = path.utf8
        let parts = bytes.split(separator: UInt8(ascii: "/"))
        for (index, part) in parts.enumerated() {
            let rules = index == parts.count - 1 ? files : folders
            let front = Substring(bytes[bytes.startIndex..<part.endIndex])
            found += rules[Place(name: Name(front), isRooted: true)] ?? []
            found += rules[Place(name: Name(Substring(part)), isRooted: false)] ?? []
        }
        return found
    }
}

/// Asks a `CODEOWNERS` file about many paths, about each once and about all of them within a limit of work.
struct OwnerLookup {
    /// So much is done at most, counted in bytes of paths times what each costs: about half a second.
    private static let mostWork = 200_000_000
    /// What a name in a line costs, since names are compared with each other.
    private static let workOfName = 200

    private let list: CodeOwners
    private var known: [Name: FileOwners?] = [:]
    private var left = Self.mostWork
    /// Whether paths were not looked up, as that would have taken too long.
    private(set) var isCut = false

    init(_ list: CodeOwners) { self.list = list }

    /// Who owns a file of the package; `nil` where nobody is known to.
    mutating func owners(of path: String) -> FileOwners? {
        if let owners = known[Name(path)] { return owners }
        left -= list.weight * (path.utf8.count + list.file.folder.utf8.count + 1)
        guard left >= 0 else {
            isCut = true
            return nil
        }
        let owners = list.owners(of: path)
        left -= Self.workOfName * (owners?.rules.reduce(0) { $0 + $1.owners.count } ?? 0)
        known.updateValue(owners, forKey: Name(path))
        return owners
    }
}
