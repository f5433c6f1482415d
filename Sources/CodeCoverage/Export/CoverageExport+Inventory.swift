import RunModel

extension CoverageExport {
    /// Compiled functions of one file that do not match the profile.
    public struct Mismatch: Sendable, Hashable {
        /// The file as it was recorded.
        public let path: String
        /// How many functions do not match.
        public let functions: Int
        /// How many functions of the file were compiled.
        public let all: Int
    }

    /// The functions that an inventory of the same objects has and this export lacks, by file.
    ///
    /// The compiler gives every function of Swift the hash 0. So llvm-cov cannot detect that a profile is of another
    /// build: it silently omits a function with another number of counters, and the coverage looks better than it is.
    /// An inventory is made without a profile (`-empty-profile`) and has all functions.
    public func mismatches(against inventory: CoverageExport) -> [Mismatch] {
        var known: [Name: Int] = [:]
        for file in files { known[Name(file.path)] = file.functions.total }
        return inventory.files.compactMap { file in
            let missing = file.functions.total - (known[Name(file.path)] ?? 0)
            return missing > 0 ? Mismatch(path: file.path, functions: missing, all: file.functions.total) : nil
        }
    }
}
