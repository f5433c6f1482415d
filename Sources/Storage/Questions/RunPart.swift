public import Gate
public import RunModel

/// Which tests and files of a run are read: a page mostly shows a small part of a run.
public struct RunPart: Sendable, Hashable {
    /// Which of its tests.
    public enum Tests: Sendable, Hashable {
        /// All.
        case all
        /// Those with more than an outcome and a duration: failures, several attempts, issues.
        case notable
        /// Those with this outcome.
        case ended(Outcome)
        /// None.
        case none
    }

    /// Which files with coverage.
    public enum Files: Sendable, Hashable {
        /// All.
        case all
        /// Those at this path, compared byte by byte: one for each module that it belongs to.
        case at(String)
        /// None.
        case none
    }

    /// Which of its tests.
    public var tests: Tests
    /// Which files with coverage.
    public var files: Files

    /// Makes a part; the default is the whole.
    public init(tests: Tests = .all, files: Files = .all) {
        self.tests = tests
        self.files = files
    }
}

extension RunStore {
    /// A part of a run, with its verdict; the other tests and files are missing.
    public func run(_ id: RunID, _ part: RunPart) throws(StorageError) -> JudgedRun? {
        try read { connection in try RunReading(connection).run(id, part) }
    }
}
