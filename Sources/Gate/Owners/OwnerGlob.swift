import RunModel

/// Why a line of a `CODEOWNERS` file is skipped.
struct OwnerLineFault: Error, Hashable {
    /// In words; may hold untrusted text.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A pattern for paths of a `CODEOWNERS` file of GitHub or GitLab.
///
/// GitHub's are those of `.gitignore`, but for `!`, `[ ]` and a `\#` in front, which GitHub does not read; and a `*` that is all of the
/// last part stands for files, not for folders with all that is in them. GitLab's are those of Ruby's `File.fnmatch`, of which its
/// documentation names `*`, `?` and `**/`. In both a backslash takes the next byte as it is, and `?` stands for one Unicode scalar.
struct OwnerGlob: Sendable {
    /// The longest pattern, in bytes.
    static let longest = 1024

    let matching: Matching

    /// How a pattern is matched.
    enum Matching: Sendable {
        /// A name without wildcards: of a path from the top, or of any part of a path.
        case name(String, isRooted: Bool, takesFile: Bool, takesFolder: Bool)
        /// As a `PatternMachine` takes it.
        case wild([PatternMachine.Position])
    }

    private enum Token: Hashable {
        case byte(UInt8)
        /// Any bytes but `/`, also none.
        case star
        /// One scalar but `/`.
        case mark
    }

    private enum Part: Hashable {
        /// A name.
        case name([Token])
        /// Any number of folders, also none.
        case folders
        /// Everything below.
        case all
    }

    private static let slash = UInt8(ascii: "/")

    /// Reads a pattern of GitHub.
    init(gitHub pattern: String) throws(OwnerLineFault) {
        if pattern.utf8.first == UInt8(ascii: "!") { throw OwnerLineFault("GitHub knows no '!'") }
        if pattern.utf8.starts(with: "\\#".utf8) { throw OwnerLineFault("GitHub knows no '\\#'") }
        var words = try Self.words(of: pattern, refusing: "GitHub knows no '[ ]'")
        let isRooted = words.count > 1 && words[0].isEmpty
        if isRooted { words.removeFirst() }
        let isFolder = words.count > 1 && words[words.count - 1].isEmpty
        if isFolder { words.removeLast() }
        try Self.checkNames(words)
        let isAnywhere = !isRooted && words.count == 1
        if let name = Self.name(words) {
            matching = .name(name, isRooted: !isAnywhere, takesFile: !isFolder, takesFolder: true)
            return
        }
        let last = words.count - 1
        let parts = words.enumerated().map { index, word -> Part in
            guard word.count > 1, word.allSatisfy({ $0 == .star }) else { return .name(word) }
            return index == last ? .all : .folders
        }
        matching = .wild(
            Self.positions(
                of: isAnywhere ? [.folders] + parts : parts, isFolder: isFolder, takesFolders: words[last] != [.star]))
    }

    /// Reads a pattern of GitLab.
    init(gitLab pattern: String) throws(OwnerLineFault) {
        if pattern == "*" || pattern == "/" {
            matching = .wild(Self.positions(of: [.all], isFolder: false, takesFolders: false))
            return
        }
        var words = try Self.words(of: pattern, refusing: "'[' is not supported")
        let isRooted = words.count > 1 && words[0].isEmpty
        if isRooted { words.removeFirst() }
        let isFolder = words.count > 1 && words[words.count - 1].isEmpty
        if isFolder { words.removeLast() }
        try Self.checkNames(words)
        if isRooted || words.count == 1, let name = Self.name(words) {
            matching = .name(name, isRooted: isRooted, takesFile: !isFolder, takesFolder: isFolder)
            return
        }
        let last = words.count - 1
        let parts = words.enumerated().map { index, word -> Part in
            word == [.star, .star] && (index < last || isFolder) ? .folders : .name(word)
        }
        // Where a folder is any number of them, what is below is below the top, too.
        let isOfFolders = isFolder && parts.last == .folders
        let all = (isRooted ? [] : [.folders]) + parts + (isOfFolders ? [.all] : [])
        matching = .wild(
            Self.positions(of: all, isFolder: isFolder && !isOfFolders, takesFolders: false))
    }

    /// The path that words without wildcards stand for; `nil` if there is a wildcard.
    private static func name(_ words: [[Token]]) -> String? {
        var bytes: [UInt8] = []
        for (index, word) in words.enumerated() {
            if index > 0 { bytes.append(slash) }
            for token in word {
                guard case .byte(let byte) = token else { return nil }
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The parts between slashes. What a backslash takes is a byte like any other, but for a slash.
    private static func words(of pattern: String, refusing bracket: String) throws(OwnerLineFault) -> [[Token]] {
        guard pattern.utf8.count <= longest else {
            throw OwnerLineFault("its pattern is longer than \(Figures.grouped(longest)) bytes")
        }
        var words: [[Token]] = [[]]
        var isTaken = false
        for byte in pattern.utf8 {
            if byte == slash {
                words.append([])
            } else if isTaken {
                words[words.count - 1].append(.byte(byte))
            } else if byte == UInt8(ascii: "\\") {
                isTaken = true
                continue
            } else if byte == UInt8(ascii: "[") {
                throw OwnerLineFault(bracket)
            } else {
                let isStar = byte == UInt8(ascii: "*")
                words[words.count - 1].append(isStar ? .star : byte == UInt8(ascii: "?") ? .mark : .byte(byte))
            }
            isTaken = false
        }
        if isTaken { throw OwnerLineFault("its pattern ends with a backslash") }
        return words
    }

    private static func checkNames(_ words: [[Token]]) throws(OwnerLineFault) {
        if words.contains(where: \.isEmpty) { throw OwnerLineFault("its pattern has nothing between two slashes") }
    }

    /// - Parameters:
    ///   - isFolder: Whether everything in what the parts name is meant, and not that itself.
    ///   - takesFolders: Whether everything in what the parts name is meant, too.
    private static func positions(
        of parts: [Part], isFolder: Bool, takesFolders: Bool
    ) -> [PatternMachine.Position] {
        var positions = [PatternMachine.Position()]
        for (index, part) in parts.enumerated() {
            switch part {
            case .folders:
                // Any number of them twice is the same as once.
                if index > 0, parts[index - 1] == .folders { continue }
                positions[positions.count - 1].isAsGoodAsNext = true
                positions[positions.count - 1].isAsGoodAsSecond = true
                positions.append(PatternMachine.Position(kept: [0, 1, 2]))
                positions.append(PatternMachine.Position(byte: .some(slash)))
                continue
            case .all: positions.append(PatternMachine.Position(byte: .some(nil), kept: [0, 1, 2]))
            case .name(let tokens): append(tokens, to: &positions)
            }
            if index < parts.count - 1 { positions.append(PatternMachine.Position(byte: .some(slash))) }
        }
        if isFolder {
            positions.append(PatternMachine.Position(byte: .some(slash)))
            positions.append(PatternMachine.Position(byte: .some(nil), kept: [0, 1, 2]))
        }
        positions[positions.count - 1].isEnd = true
        if takesFolders, !isFolder {
            positions.append(PatternMachine.Position(byte: .some(slash), kept: [0, 1, 2], isEnd: true))
        }
        return positions
    }

    private static func append(_ tokens: [Token], to positions: inout [PatternMachine.Position]) {
        var before: Token?
        for token in tokens {
            defer { before = token }
            switch token {
            case .byte(let byte): positions.append(PatternMachine.Position(byte: .some(byte)))
            case .mark: positions.append(PatternMachine.Position(byte: .some(nil), kept: [2]))
            case .star:
                // Any bytes twice are the same as once.
                if before == .star { continue }
                positions[positions.count - 1].isAsGoodAsNext = true
                positions.append(PatternMachine.Position(kept: [1, 2]))
            }
        }
    }
}
