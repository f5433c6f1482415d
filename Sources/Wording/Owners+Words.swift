public import Gate
public import RunModel

/// Owners in words; their names are untrusted text.
public enum OwnerWords {
    /// How many names are written out.
    static let most = 5

    /// `@core, @net and 3 more`.
    public static func list(_ names: [String]) -> String {
        let shown = names.prefix(most).joined(separator: ", ")
        return names.count > most ? "\(shown) and \(Figures.grouped(names.count - most)) more" : shown
    }

    /// `owned by @core, @net`; `nil` for nobody.
    public static func clause(_ names: [String]) -> String? {
        names.isEmpty ? nil : "owned by \(list(names))"
    }

    /// `Owner: @core.` or `Owners: @core, @net.`; `nil` for nobody.
    public static func sentence(_ names: [String]) -> String? {
        names.isEmpty ? nil : "\(names.count == 1 ? "Owner" : "Owners"): \(list(names))."
    }
}

extension TestOwner {
    /// The text below a test; untrusted.
    public var words: String {
        switch self {
        case .quarantine(let name): "Owner: \(name), by the quarantine."
        case .codeOwners(let names): OwnerWords.sentence(names) ?? ""
        case .author(let name): "Nobody is known to own it; \(name) changed the line last."
        }
    }

    /// A word for programs: `quarantine`, `codeowners`, `author`.
    public var code: String {
        switch self {
        case .quarantine: "quarantine"
        case .codeOwners: "codeowners"
        case .author: "author"
        }
    }
}

extension CodeOwnersForm {
    /// Whose rules they are.
    public var words: String {
        switch self {
        case .gitHub: "GitHub"
        case .gitLab: "GitLab"
        case .gitea: "Gitea"
        }
    }
}

extension CodeOwners {
    /// Where owners are known from: `.github/CODEOWNERS of 9f3c2ab19f3c, by the rules of GitHub`, and which lines of it have no effect.
    /// Untrusted text.
    public var source: String {
        let path = file.path
        if let fault { return "\(path) is not read: \(fault)" }
        let place = file.commit.map { "\(path) of \($0.prefix(12))" } ?? "\(path) of the tested tree itself"
        let rules = file.form.map { ", by the rules of \($0.words)" } ?? ""
        let first = skipped.first.map { "; line \($0.line) has no effect: \($0.reason)" } ?? ""
        let more = skippedCount > 1 ? ", and \(Figures.counted(skippedCount - 1, "more such line"))" : ""
        return place + rules + first + more
    }
}

extension RunOwners {
    /// Whom to ask about a test; `nil` if nobody is known. Untrusted text.
    public func words(of test: TestResult) -> String? { owner(of: test)?.words }

    /// Who owns the module or file that a violation is about; `nil` if nobody is known. Untrusted text.
    public func words(of violation: Violation) -> String? { OwnerWords.sentence(owners(of: violation)) }

    /// Where owners are known from; `nil` where there is no `CODEOWNERS`. Untrusted text.
    public var source: String? { list?.source }

    /// A note on all owners: why none is known, or that they are not those of the base; `nil` without one.
    public var note: String? {
        guard let list else { return nil }
        let path = list.file.path
        if let fault = list.fault { return "Owners are not known: \(path): \(fault)." }
        if isCut { return "Not all owners are known: to look up more would take too long." }
        guard list.file.commit == nil else { return nil }
        return "Owners are those of \(path) in the tested tree itself: there is no base to read it from."
    }
}

extension OwnerDigests {
    /// That there is more than is listed; `nil` where there is not.
    public var note: String? { isCut ? "Not everything is looked up and listed: it would take too long." : nil }
}

extension OwnerDigest {
    /// What needs a look, and the first names of it.
    public struct Point: Sendable, Hashable {
        /// `red`, `flaky`, `slow`, `under floor` or `expires`.
        public let title: String
        /// How many there are.
        public let count: Int
        /// The first of them, and how many more there are. Untrusted text.
        public let names: String

        init?(_ title: String, _ names: [String]) {
            guard !names.isEmpty else { return nil }
            (self.title, count, self.names) = (title, names.count, OwnerWords.list(names))
        }
    }

    /// Who it is about; untrusted text.
    public var name: String { owner ?? "no known owner" }

    /// What needs a look, by its kind.
    public var points: [Point] {
        [
            Point("red", failed.map(\.description)), Point("flaky", flaky.map(\.id.description)),
            Point("slow", slow.map(\.id.description)), Point("under floor", modules),
            Point("expires", expiring.map { "\($0.test) on \($0.expires)" }),
        ].compactMap { $0 }
    }

    /// `91.2 % of 4,210 lines`; `nil` where nothing of it has lines.
    public var covered: String? {
        lines.total == 0 ? nil : "\(Figures.percent(lines)) of \(Figures.counted(lines.total, "line"))"
    }
}
