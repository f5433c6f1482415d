import RunModel

/// The lines of a `CODEOWNERS` file, read by the rules of a forge. What it costs follows from the length of the file alone.
struct OwnerRules: Sendable {
    /// The most lines of a file.
    static let mostLines = 20_000
    /// How many positions all patterns with wildcards have together at most, about one for each byte: a path is matched
    /// with all of them at once.
    static let mostPositions = 1 << 16
    /// How many steps all regular expressions of a file have together at most.
    static let mostSteps = 4096
    /// The most owners of a line.
    static let mostOwners = 100
    /// The longest name of an owner, in bytes.
    static let longestOwner = 255
    /// How many skipped lines are named; the rest is counted.
    static let mostSkipped = 100

    /// The lines that name owners, or take them away.
    private(set) var rules: [OwnerRule] = []
    /// By rule: the number of its section.
    private(set) var sections: [Int] = []
    /// By rule, where patterns are globs.
    private(set) var globs: [OwnerGlob] = []
    /// By rule, where patterns are regular expressions.
    private(set) var expressions: [LinearExpression] = []
    /// The first lines that are invalid.
    private(set) var skipped: [SkippedOwnerLine] = []
    /// How many lines are invalid.
    private(set) var skippedCount = 0
    /// Why the file is not read; `nil` if it is.
    private(set) var fault: String?

    private var section = Section(number: 0)
    /// Sections are one if their names are, whatever the case of the letters; the first writes the name.
    private var known: [Name: Section] = [:]
    private var positions = 0
    private var steps = 0

    private struct Section {
        var number: Int
        var name: String?
        /// Who owns what has no owner of its own in it.
        var owners: [String] = []
    }

    init(_ text: String, form: CodeOwnersForm) {
        let lines = Self.lines(of: text)
        guard lines.count <= Self.mostLines else {
            fault = "it has more than \(Figures.grouped(Self.mostLines)) lines"
            return
        }
        for (index, line) in lines.enumerated() {
            do throws(OwnerLineFault) {
                switch form {
                case .gitHub: try readGitHub(line, index + 1)
                case .gitLab: try readGitLab(line, index + 1)
                case .gitea: try readGitea(line, index + 1)
                }
            } catch {
                skippedCount += 1
                if skipped.count < Self.mostSkipped {
                    skipped.append(SkippedOwnerLine(line: index + 1, reason: error.reason))
                }
            }
            if fault != nil { return }
        }
    }

    private static func lines(of text: String) -> [[UInt8]] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if let first = lines.first, first.starts(with: mark) { lines[0] = Array(first.dropFirst(mark.count)) }
        return lines
    }

    /// The form that a file says of itself; `nil` if it might have another one.
    static func tellingForm(of text: String) -> CodeOwnersForm? {
        let lines = Self.lines(of: text)
        if lines.contains(where: { heading($0) != nil }) { return .gitLab }
        let patterns = lines.compactMap { words(of: $0, .atWords).first }
        // No file has two backslashes or a choice in its name, where a glob would mean these.
        let isGitea = patterns.contains { $0.contains("\\\\") || $0.contains("(") && $0.contains("|") }
        return isGitea ? .gitea : nil
    }

    // MARK: GitHub

    private mutating func readGitHub(_ line: [UInt8], _ number: Int) throws(OwnerLineFault) {
        let words = Self.words(of: line, .atWords)
        guard let pattern = words.first else { return }
        let owners = Array(words.dropFirst())
        if let wrong = owners.first(where: { !Self.isOwner($0) }) {
            throw OwnerLineFault("'\(wrong.prefix(80))' is no @user, @org/team or address")
        }
        let glob = try OwnerGlob(gitHub: pattern)
        try add(OwnerRule(line: number, pattern: pattern, owners: owners), glob)
    }

    // MARK: GitLab

    private mutating func readGitLab(_ line: [UInt8], _ number: Int) throws(OwnerLineFault) {
        if line.first(where: { !Self.isBlank($0) }) == UInt8(ascii: "#") { return }
        if let heading = Self.heading(line) {
            let key = Name(heading.name.lowercased())
            var named = known[key] ?? Section(number: known.count + 1, name: heading.name)
            named.owners = heading.owners
            known[key] = named
            section = named
            return
        }
        let words = Self.words(of: line, .nowhere)
        guard let pattern = words.first else { return }
        let isExclusion = pattern.utf8.first == UInt8(ascii: "!")
        let glob = try OwnerGlob(gitLab: isExclusion ? String(Substring(pattern.utf8.dropFirst())) : pattern)
        // GitLab passes over what is no owner, as it does over the sign of a comment.
        let own = words.dropFirst().filter { Self.isOwner($0) }
        try add(
            OwnerRule(
                line: number, pattern: pattern, section: section.name,
                owners: isExclusion ? [] : own.isEmpty ? section.owners : own, isNegated: isExclusion), glob)
    }

    /// The name of a section and its owners: `[Name]`, `^[Name]`, `[Name][2] @owner`; `nil` for a line that begins none.
    private static func heading(_ line: [UInt8]) -> (name: String, owners: [String])? {
        var rest = line.drop { isBlank($0) }
        if rest.first == UInt8(ascii: "^") { rest.removeFirst() }
        guard let title = bracketed(&rest) else { return nil }
        // In the second bracket stands how many have to approve.
        if rest.first == UInt8(ascii: "["), bracketed(&rest) == nil { return nil }
        guard rest.first.map({ isBlank($0) }) ?? true else { return nil }
        let name = words(of: Array(title), .nowhere).joined(separator: " ")
        let owners = words(of: Array(rest), .nowhere).filter { isOwner($0) }
        return name.isEmpty ? nil : (name, Array(owners.prefix(mostOwners)))
    }

    private static func bracketed(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[(rest.startIndex + 1)..<end]
    }

    // MARK: Gitea

    private mutating func readGitea(_ line: [UInt8], _ number: Int) throws(OwnerLineFault) {
        let words = Self.words(of: line, .anywhere, keepsBackslash: false)
        guard let pattern = words.first else { return }
        guard words.count > 1 else { throw OwnerLineFault("it names no owner") }
        guard pattern.utf8.count <= OwnerGlob.longest else {
            throw OwnerLineFault("its pattern is longer than \(Figures.grouped(OwnerGlob.longest)) bytes")
        }
        let isNegated = pattern.utf8.first == UInt8(ascii: "!")
        let text = isNegated ? String(Substring(pattern.utf8.dropFirst())) : pattern
        let expression = try Self.expression(of: text)
        // Only a team has a slash in its name.
        let owners = words.dropFirst().filter { $0.utf8.count { $0 == UInt8(ascii: "/") } < 2 && Self.isShort($0) }
        try check(owners.count)
        steps += expression.size
        guard steps <= Self.mostSteps else {
            fault = "its regular expressions have more than \(Figures.grouped(Self.mostSteps)) parts together"
            return
        }
        rules.append(OwnerRule(line: number, pattern: pattern, owners: Array(owners), isNegated: isNegated))
        sections.append(0)
        expressions.append(expression)
    }

    /// As Gitea takes it: all of a path has to match.
    private static func expression(of text: String) throws(OwnerLineFault) -> LinearExpression {
        do throws(ExpressionFault) {
            return try LinearExpression("^\(text)$")
        } catch {
            throw OwnerLineFault(error.reason)
        }
    }

    // MARK: Words

    private mutating func add(_ rule: OwnerRule, _ glob: OwnerGlob) throws(OwnerLineFault) {
        try check(rule.owners.count)
        if case .wild(let own) = glob.matching { positions += own.count }
        guard positions <= Self.mostPositions else {
            fault = "its patterns with wildcards have more than \(Figures.grouped(Self.mostPositions)) parts together"
            return
        }
        rules.append(rule)
        sections.append(section.number)
        globs.append(glob)
    }

    private func check(_ owners: Int) throws(OwnerLineFault) {
        if owners > Self.mostOwners {
            throw OwnerLineFault("it has more than \(Figures.grouped(Self.mostOwners)) owners")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func isShort(_ name: String) -> Bool { name.utf8.count <= longestOwner }

    /// Whether a word is a user, a team, a role or an address.
    private static func isOwner(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        guard bytes.count > 1, isShort(word) else { return false }
        let at = UInt8(ascii: "@")
        if bytes[0] == at { return bytes.contains { $0 != at } }
        return bytes.dropLast().contains(at)
    }

    /// Where in a line a `#` begins a comment.
    private enum Comments {
        case nowhere, atWords, anywhere
    }

    /// The words of a line. A backslash takes the next byte into the word.
    ///
    /// - Parameter keepsBackslash: Whether the backslash stays in the word, too.
    private static func words(of line: [UInt8], _ comments: Comments, keepsBackslash: Bool = true) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var isTaken = false
        func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        for byte in line {
            if isTaken {
                word.append(byte)
                isTaken = false
            } else if isBlank(byte) {
                end()
            } else if byte == UInt8(ascii: "#"), comments == .anywhere || comments == .atWords && word.isEmpty {
                break
            } else {
                isTaken = byte == UInt8(ascii: "\\")
                if !isTaken || keepsBackslash { word.append(byte) }
            }
        }
        end()
        return words
    }
}

/// A line of a `CODEOWNERS` file that names owners, or takes them away.
public struct OwnerRule: Sendable, Hashable, Codable {
    /// Counted from 1.
    public var line: Int
    /// As it is written; untrusted text.
    public var pattern: String
    /// The section that it is in; `nil` outside of one. Untrusted text.
    public var section: String?
    /// Users, teams, roles and addresses; none where a line takes owners away. Untrusted text.
    public var owners: [String]
    /// Whether it takes out of its section what matches, or is about all that does not match: what `!` means to the forge.
    public var isNegated = false
}

/// A line of a `CODEOWNERS` file that is invalid and has no effect.
public struct SkippedOwnerLine: Sendable, Hashable, Codable {
    /// Counted from 1.
    public var line: Int
    /// What is wrong with it; may hold untrusted text.
    public var reason: String
}
