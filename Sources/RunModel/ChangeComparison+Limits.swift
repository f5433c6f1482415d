/// The limits of lists of lines. Their work and memory depend on the highest line number, not on the length of the list.
public struct LineLimits: Sendable {
    /// The highest number of a line in any file.
    public static let highest = 2_000_000
    /// The highest numbers of all files of a list together.
    public static let total = 8_000_000

    private let what: String
    private var total = 0
    /// What is beyond a limit; `nil` as long as nothing is.
    public private(set) var fault: String?

    /// Begins to check a list; `what` names it in words.
    public init(_ what: String) { self.what = what }

    /// Checks the lines of one file: they have to be ascending and apart, and numbers that a line can have.
    public mutating func check(_ lists: [[ClosedRange<Int>]], of path: String) {
        guard fault == nil else { return }
        var highest = 0
        for ranges in lists {
            var last = 0
            for range in ranges {
                guard range.lowerBound > last else { return refuse("lines of '\(path)' are not ascending and apart") }
                last = range.upperBound
            }
            highest = max(highest, last)
        }
        count(highest, of: path)
    }

    /// Checks lines that need not be ascending: work for them depends on the length of every range.
    public mutating func check(each ranges: some Sequence<Range<Int>>, of path: String) {
        for range in ranges where fault == nil {
            guard range.lowerBound >= 0, range.upperBound <= Self.highest + 1 else {
                return refuse("'\(path)' has no line \(range.upperBound)")
            }
            count(range.count, of: path)
        }
    }

    private mutating func count(_ lines: Int, of path: String) {
        guard lines <= Self.highest else { return refuse("'\(path)' has no line \(lines)") }
        total += lines
        if total > Self.total { refuse("more than \(Figures.grouped(Self.total)) lines") }
    }

    private mutating func refuse(_ reason: String) { fault = "\(what): \(reason)" }
}

extension ChangeComparison: Limited {
    /// What is beyond a limit: lines that no file has, and lists of lines that are not ascending.
    public var fault: String? {
        let lists = [
            ("coverage", coverage?.files), ("coverage.unstable", coverage?.unstable), ("sameTree", sameTree?.files),
            ("sameTree.unstable", sameTree?.unstable),
        ]
        for (what, files) in lists {
            var limits = LineLimits(what)
            for file in files ?? [] { limits.check([file.covered, file.missed], of: file.path) }
            if let fault = limits.fault { return fault }
        }
        var (base, head, moved) = (LineLimits("changes"), LineLimits("changes"), LineLimits("moved"))
        // Each file that comes from another one is compared with all of it, and with all that is unstable in it.
        func byPath(_ files: [KnownLines]?) -> [Name: KnownLines] {
            Dictionary((files ?? []).map { (Name($0.path), $0) }) { first, _ in first }
        }
        let (origins, contested) = (byPath(coverage?.files), byPath(coverage?.unstable))
        var (compared, unstable) = (LineLimits("changes"), LineLimits("changes"))
        for change in changes {
            let path = change.path ?? change.basePath ?? ""
            base.check(each: change.changes.map(\.base), of: path)
            head.check(each: change.changes.map(\.head), of: path)
            moved.check(each: change.moved.map(\.head), of: path)
            if let origin = change.basePath.flatMap({ origins[Name($0)] }) {
                compared.check([origin.covered, origin.missed], of: origin.path)
            }
            if let origin = change.basePath.flatMap({ contested[Name($0)] }) {
                unstable.check([origin.covered, origin.missed], of: origin.path)
            }
            if let fault = base.fault ?? head.fault ?? moved.fault ?? compared.fault ?? unstable.fault { return fault }
            if change.moved.contains(where: { !(0...LineLimits.highest).contains($0.baseStart) }) {
                return "moved: '\(path)' names a line that no file has"
            }
            if zip(change.changes, change.changes.dropFirst()).contains(where: { !$0.isBefore($1) }) {
                return "changes: those of '\(path)' are not ascending"
            }
        }
        return nil
    }
}

extension ChangedLines {
    /// Whether another change of the same file comes after this one, on both sides.
    fileprivate func isBefore(_ next: ChangedLines) -> Bool {
        base.upperBound <= next.base.lowerBound && head.upperBound <= next.head.lowerBound
            && (base.lowerBound, head.lowerBound) != (next.base.lowerBound, next.head.lowerBound)
    }
}

extension DeselectedLines: Limited {
    /// What is beyond a limit: lines that no file has, and lists of lines that are not ascending.
    public var fault: String? {
        var limits = LineLimits("files")
        for file in files { limits.check([file.lines, file.doubtful], of: file.path) }
        return limits.fault
    }
}

extension DeselectedTests: Limited {
    /// Nothing has a limit of its own: tests are looked up, so their cost depends only on the length of the file.
    public var fault: String? { nil }
}
