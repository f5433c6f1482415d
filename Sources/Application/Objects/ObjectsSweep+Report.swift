import Objects

extension ObjectsSweep {
    /// What goes, and when.
    package struct Rules: Sendable, Hashable {
        /// How long what no run needs is left alone, in days, and how long a copy of it is kept then.
        package static let graceDays = 3

        /// How many days after its last arrival a run is removed; `nil` for never.
        package let keepDays: Int?
        /// See `graceDays`; at least 1.
        package let graceDays: Int
        /// Whether nothing is removed, and only counted.
        package let isDryRun: Bool

        /// Makes rules from their parts.
        package init(keepDays: Int?, graceDays: Int = Rules.graceDays, isDryRun: Bool = false) {
            self.keepDays = keepDays
            self.graceDays = graceDays
            self.isDryRun = isDryRun
        }
    }

    /// Objects and their bytes.
    package struct Count: Sendable, Hashable {
        /// How many.
        package var objects = 0
        /// Their bytes.
        package var bytes = 0

        /// Counts one more.
        mutating func add(_ entry: ObjectPage.Entry) {
            objects += 1
            bytes += entry.size
        }
    }

    /// What a sweep did.
    package struct Report: Sendable, Hashable {
        /// How many runs remain.
        package internal(set) var runs = 0
        /// How many runs were removed.
        package internal(set) var removedRuns = 0
        /// How many entries of the log were removed.
        package internal(set) var logEntries = 0
        /// Files and manifests of no run that were set aside.
        package internal(set) var setAside = Count()
        /// Those that were set aside before and were removed now.
        package internal(set) var removed = Count()
        /// How many that were set aside before were put back, as a run needs them.
        package internal(set) var putBack = 0
        /// Files of no run that are too young to be touched.
        package internal(set) var young = Count()
        /// What is worth knowing, and harms nothing.
        package internal(set) var notes = Told()
        /// Why it is not known which files runs need: then no file is touched.
        package internal(set) var faults = Told()
    }
}
