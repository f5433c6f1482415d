/// Lines taken out and put in at one place of a file.
public struct ChangedLines: Sendable, Hashable, Codable {
    /// The lines of the base that are gone, counted from 1; empty where lines were only added, and then it says where.
    public var base: Range<Int>
    /// The lines that took their place; empty where lines were only removed.
    public var head: Range<Int>

    /// Makes a change from its parts.
    public init(base: Range<Int>, head: Range<Int>) {
        self.base = base
        self.head = head
    }
}

/// Lines that were taken out in one place and put in, but for their indentation unchanged, in another.
public struct MovedLines: Sendable, Hashable, Codable {
    /// Where they are now, counted from 1.
    public var head: Range<Int>
    /// The file they were in, relative to the package.
    public var basePath: String
    /// The first of them in that file.
    public var baseStart: Int

    /// Makes a move from its parts.
    public init(head: Range<Int>, basePath: String, baseStart: Int) {
        self.head = head
        self.basePath = basePath
        self.baseStart = baseStart
    }
}

/// How one file differs from the base.
public struct FileChange: Sendable, Hashable, Codable {
    /// Where the file is, relative to the package; `nil` when it is gone.
    public var path: String?
    /// Where it was, relative to the package; `nil` when it is new or came from outside of the package.
    public var basePath: String?
    /// What changed, in ascending order; empty for a file that was only renamed.
    public var changes: [ChangedLines]
    /// Which of the lines put in were taken out elsewhere.
    public var moved: [MovedLines]

    /// Makes a change from its parts.
    public init(path: String?, basePath: String?, changes: [ChangedLines], moved: [MovedLines] = []) {
        self.path = path
        self.basePath = basePath
        self.changes = changes
        self.moved = moved
    }
}
