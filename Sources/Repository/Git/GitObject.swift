/// An object of a repository, as git keeps it.
struct GitObject: Sendable, Hashable {
    /// What an object is.
    enum Kind: String, Sendable { case blob, tree, commit, tag }

    /// An entry of a tree.
    struct Entry: Sendable, Hashable {
        /// The mode, as an octal number without leading zeros: `100644`, `120000`, `40000`.
        let mode: [UInt8]
        let name: GitName
        let object: ObjectID

        /// Whether it is the commit of a submodule.
        var isSubmodule: Bool { mode.elementsEqual("160000".utf8) }
    }

    let id: ObjectID
    let kind: Kind
    let bytes: [UInt8]

    /// The entries of a tree, in git's order; `nil` for anything else.
    var entries: [Entry]? {
        guard kind == .tree else { return nil }
        // `<mode> <name>NUL<object as bytes>`
        let length = id.hexadecimal.utf8.count / 2
        var entries: [Entry] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")), let end = rest[space...].firstIndex(of: 0),
                rest.endIndex - end > length,
                let object = ObjectID(raw: rest[(end + 1)...].prefix(length))
            else { return nil }
            entries.append(
                Entry(mode: Array(rest[..<space]), name: GitName(bytes: rest[(space + 1)..<end]), object: object))
            rest = rest[(end + 1 + length)...]
        }
        return entries
    }

    /// The tree of a commit; `nil` for anything else.
    var tree: ObjectID? {
        guard kind == .commit, bytes.starts(with: "tree ".utf8) else { return nil }
        return ObjectID(bytes: bytes.dropFirst(5).prefix { $0 != UInt8(ascii: "\n") })
    }

    /// The parents of a commit as it was made, also where this clone ends; none for anything else.
    var parents: [ObjectID] {
        guard kind == .commit else { return [] }
        // `tree …` comes first, then the parents.
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst()
            .prefix { $0.starts(with: "parent ".utf8) }.compactMap { ObjectID(bytes: $0.dropFirst(7)) }
    }

    /// The first paragraph of a commit's message on one line, as git shows it; `nil` for a message that is not in UTF-8.
    var subject: String? {
        guard kind == .commit else { return nil }
        // The text after a NUL is not shown.
        var lines = bytes.prefix { $0 != 0 }.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst(), !line.isEmpty {
            if line.starts(with: "encoding ".utf8) { return nil }
        }
        let message = lines.map(Self.withoutBlanksAtEnd).drop(while: \.isEmpty)
        return String(decoding: Array(message.prefix { !$0.isEmpty }.joined(separator: " ".utf8)), as: UTF8.self)
    }

    /// The author's name of a commit; `nil` if there is none, and for a commit that is not in UTF-8.
    var author: String? {
        guard kind == .commit else { return nil }
        var lines = bytes.prefix { $0 != 0 }.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        var author: String?
        while let line = lines.popFirst(), !line.isEmpty {
            if line.starts(with: "encoding ".utf8) { return nil }
            // `author NAME <address> seconds zone`
            guard author == nil, line.starts(with: "author ".utf8) else { continue }
            let name = line.dropFirst(7).prefix { $0 != UInt8(ascii: "<") }
            author = String(decoding: Self.withoutBlanksAtEnd(name), as: UTF8.self)
        }
        return author.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func withoutBlanksAtEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line[..<(line.lastIndex { !" \t\n\r".utf8.contains($0) }.map { $0 + 1 } ?? line.startIndex)]
    }
}

extension ObjectID {
    /// Reads the binary id in a tree.
    init?(raw bytes: some Collection<UInt8>) {
        let digits = Array("0123456789abcdef".utf8)
        self.init(bytes: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
