/// How long `kanmon db prune` keeps what is in a home, unless its options say otherwise.
enum RetentionDefaults {
    /// Run directories, in days. Results in the database are kept for ever by default.
    static let runDirectoryDays = 90
}
