/// The files of a tree and of its submodules, by their paths.
struct TreeListing: Sendable {
    /// A file or a link.
    struct Entry: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case file(isExecutable: Bool)
            case link
        }
        let kind: Kind
        let object: ObjectID
        /// Which repository has the object: a place in `repositories`.
        let repository: Int
    }

    /// A repository that objects are in.
    struct Source: Sendable, Hashable {
        let gitDirectory: String
        /// Where its tree begins, with a slash at the end unless it is the top.
        let prefix: [UInt8]
        let tree: ObjectID
    }

    private(set) var entries: [GitName: Entry] = [:]
    private(set) var repositories: [Source] = []
    /// All submodules.
    private(set) var submodules: [GitName] = []
    /// Submodules whose commit is not here.
    private(set) var unknownSubmodules: [GitName] = []

    /// Adds the output of `ls-tree -r -z` for a tree; returns its submodules.
    mutating func add(_ output: [UInt8], of source: Source) throws(GitError) -> [(name: GitName, commit: ObjectID)] {
        repositories.append(source)
        var submodules: [(name: GitName, commit: ObjectID)] = []
        // `<mode> <type> <object>TAB<path>`
        for line in output.split(separator: 0) {
            guard let tab = line.firstIndex(of: UInt8(ascii: "\t")),
                let object = ObjectID(bytes: line[..<tab].suffix(source.tree.hexadecimal.utf8.count))
            else { throw .unexpectedOutput(command: "ls-tree", detail: "an entry without an object") }
            let name = GitName(bytes: source.prefix + line[(tab + 1)...])
            let kind: Entry.Kind
            switch String(decoding: line.prefix(6), as: UTF8.self) {
            case "160000":
                submodules.append((name, object))
                self.submodules.append(name)
                continue
            case "120000": kind = .link
            case "100755": kind = .file(isExecutable: true)
            default: kind = .file(isExecutable: false)
            }
            entries[name] = Entry(kind: kind, object: object, repository: repositories.count - 1)
        }
        return submodules
    }

    mutating func addUnknown(_ submodule: GitName) { unknownSubmodules.append(submodule) }

    /// All folders in which something of the tree lies.
    var folders: Set<GitName> {
        var folders: Set<GitName> = []
        for name in entries.keys {
            var rest = name.bytes[...]
            while let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
                rest = rest[..<slash]
                guard folders.insert(GitName(bytes: rest)).inserted else { break }
            }
        }
        return folders
    }
}
