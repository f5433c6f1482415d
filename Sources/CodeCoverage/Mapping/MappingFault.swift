/// Why the coverage of a run is left to LLVM's own tools: something is damaged, or is nothing that the compiler of Swift is
/// known to write.
///
/// It is never shown to anybody: the tools say in their own words what is wrong, if anything is.
package enum MappingFault: Error, Sendable, Hashable {
    /// Bytes end before what they announce.
    case truncated
    /// Not of the format that is read here, or of another version of it.
    case format
    /// A packed text does not unpack to what it announces.
    case packing
    /// Names that cannot be told for sure.
    case names
    /// A region of a kind or at a place that Swift does not write.
    case region
    /// Paths that are not absolute, or several of one function.
    case paths
    /// The profile knows a function in another way than its object.
    case misfit
    /// A counter, or more of something, than any real run has.
    case limit
    /// Nobody waits for it any more.
    case cancelled
}
