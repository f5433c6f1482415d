/// Lines that were removed and added at one place of a file.
public struct ChangedLines: Sendable, Hashable, Codable {
    /// The removed lines of the base, counted from 1; an empty range at the place where lines were only added.
    public var base: Range<Int>
    /// The lines that replace them; empty if lines were only removed.
    public var head: Range<Int>

    package init(base: Range<Int>, head: Range<Int>) { (self.base, self.head) = (base, head) }
}

extension Range<Int> {
    /// Whether one side of the change overlaps these lines. An empty side is a place between two lines, and overlaps if both are
    /// among them.
    func touches(_ lines: ClosedRange<Int>) -> Bool {
        isEmpty ? lines.lowerBound < lowerBound && lowerBound <= lines.upperBound : overlaps(lines)
    }
}

/// Lines that were removed in one place and added in another, unchanged except for indentation.
public struct MovedLines: Sendable, Hashable, Codable {
    /// Their lines now, counted from 1.
    public var head: Range<Int>
    /// The file they were in, relative to the package.
    public var basePath: String
    /// The first of them in that file.
    public var baseStart: Int

    package init(head: Range<Int>, basePath: String, baseStart: Int) {
        (self.head, self.basePath, self.baseStart) = (head, basePath, baseStart)
    }
}

/// How one file differs from the base.
public struct FileChange: Sendable, Hashable, Codable {
    /// The path, relative to the package; `nil` for a deleted file.
    public var path: String?
    /// The path at the base, relative to the package; `nil` for a new file or one from outside of the package.
    public var basePath: String?
    /// The changes in ascending order; empty for a file that was only renamed.
    public var changes: [ChangedLines]
    /// The added lines that were removed elsewhere.
    public var moved: [MovedLines]
    /// Unchanged lines that may be compiled for the first time, because the `#if`, comment or quotes around them changed; in
    /// ascending order, `nil` for none.
    public var exposed: [Range<Int>]?
    /// Whether the path is that of a link or a submodule that leads elsewhere than at the base: all that lies there is new.
    /// `nil` if it is neither.
    public var leadsElsewhere: Bool?
    /// Whether added lines may close the block that the removed ones were in, and so begin another declaration, or change its kind
    /// by naming accessors. Not encoded: only a run that selects its tests needs it, and gets it from git.
    public var mayEndBlock = false

    private enum CodingKeys: String, CodingKey {
        case path, basePath, changes, moved, exposed, leadsElsewhere
    }

    package init(
        path: String?, basePath: String?, changes: [ChangedLines], moved: [MovedLines] = [],
        exposed: [Range<Int>]? = nil, leadsElsewhere: Bool? = nil, mayEndBlock: Bool = false
    ) {
        self.exposed = exposed
        self.leadsElsewhere = leadsElsewhere
        self.mayEndBlock = mayEndBlock
        self.path = path
        self.basePath = basePath
        self.changes = changes
        self.moved = moved
    }
}

extension FileChange {
    /// Whether any of these lines is new, or is beside lines that were removed.
    public func touches(_ lines: ClosedRange<Int>) -> Bool { touches(lines, on: \.head) }

    /// Whether any of these lines of the base was removed, or is beside lines that were added.
    public func touches(ofBase lines: ClosedRange<Int>) -> Bool { touches(lines, on: \.base) }

    private func touches(_ lines: ClosedRange<Int>, on side: KeyPath<ChangedLines, Range<Int>>) -> Bool {
        // Changes ascend: those that end before the lines are passed over at once.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle][keyPath: side].upperBound < lines.lowerBound { low = middle + 1 } else { high = middle }
        }
        return changes[low...].prefix { $0[keyPath: side].lowerBound <= lines.upperBound }
            .contains { $0[keyPath: side].touches(lines) }
    }

    /// The number that a line had at the base; `nil` for one that is new.
    public func baseLine(of line: Int) -> Int? { Self.line(line, across: changes, from: \.head, to: \.base) }

    /// The number that a line of the base has now; `nil` for one that was changed or removed.
    public func line(ofBase line: Int) -> Int? { Self.line(line, across: changes, from: \.base, to: \.head) }

    private static func line(
        _ line: Int, across changes: [ChangedLines], from one: KeyPath<ChangedLines, Range<Int>>,
        to other: KeyPath<ChangedLines, Range<Int>>
    ) -> Int? {
        var shift = 0
        for change in changes {
            if change[keyPath: one].contains(line) { return nil }
            guard change[keyPath: one].upperBound <= line else { break }
            shift += change[keyPath: other].count - change[keyPath: one].count
        }
        return line + shift
    }
}
