import RunModel

extension CoverageExport {
    /// Functions of one file that were compiled and of which the profile says nothing that fits.
    public struct Misfit: Sendable, Hashable {
        /// The file as it was recorded.
        public let path: String
        /// How many of them there are.
        public let functions: Int
        /// How many functions of the file were compiled.
        public let all: Int
    }

    /// What an inventory of the same objects has and this export has not, by file.
    ///
    /// The compiler gives every function of Swift the hash 0. So llvm-cov cannot see that a profile is of another build: a
    /// function with another number of counters is left out without a word, its lines are gone from all totals, and the
    /// coverage looks better than it is. An inventory is made without a profile (`-empty-profile`) and has all functions.
    public func misfits(against inventory: CoverageExport) -> [Misfit] {
        var known: [Name: Int] = [:]
        for file in files { known[Name(file.path)] = file.functions.total }
        return inventory.files.compactMap { file in
            let missing = file.functions.total - (known[Name(file.path)] ?? 0)
            return missing > 0 ? Misfit(path: file.path, functions: missing, all: file.functions.total) : nil
        }
    }
}
