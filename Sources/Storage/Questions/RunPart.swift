public import RunModel

/// What of a run is read, beside that which is always: a page mostly shows a small part of what a run has.
public struct RunPart: Sendable, Hashable {
    /// Which of its tests.
    public enum Tests: Sendable, Hashable {
        /// Every one.
        case all
        /// Those with more to them than an outcome and a duration: failures, several attempts, issues.
        case notable
        /// Those of a module, and the notable ones of all others.
        case module(String)
        /// Those that ended so.
        case ended(Outcome)
        /// Not one.
        case none
    }

    /// Which of the files it has coverage of.
    public enum Files: Sendable, Hashable {
        /// Every one.
        case all
        /// Those at this path, compared byte by byte: one for each module that it belongs to.
        case at(String)
        /// Not one.
        case none
    }

    /// Which of its tests.
    public var tests: Tests
    /// Which of the files it has coverage of.
    public var files: Files

    /// Makes a part; the default is the whole.
    public init(tests: Tests = .all, files: Files = .all) {
        self.tests = tests
        self.files = files
    }
}

extension RunStore {
    /// A part of a run, with its verdict; what is left out is not there, as if the run did not have it.
    public func run(_ id: RunID, _ part: RunPart) throws(StorageError) -> StoredRun? {
        try read { connection in try RunReading(connection).run(id, part) }
    }
}
