/// How long things are kept: what is in a home by `kanmon db prune`, unless its options say otherwise, and build products by runs and `kanmon cache prune`.
package enum RetentionDefaults {
    /// Run directories, in days. Results in the database are kept for ever by default.
    package static let runDirectoryDays = 90
    /// Build products of a package folder that is not tested any more, in days.
    package static let buildFolderDays = 30
    /// How much disk space all build products may take, in bytes.
    package static let buildBytes: Int64 = 20 << 30
}
