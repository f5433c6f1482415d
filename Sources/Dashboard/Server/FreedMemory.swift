import CMalloc

/// What becomes of memory that answers have given back.
enum FreedMemory {
    /// Keeps a little of it for the answers that come next.
    ///
    /// The C library gives it back to the kernel from 128 KiB on, less than the answers of a few connections take together: each
    /// answer had pages cleared for it that the one before had given back. Who says how much to keep also says that buffers
    /// of 128 KiB and more go on being mapped by themselves: large answers leave nothing behind.
    static func keep() {
        mallopt(M_TRIM_THRESHOLD, 2 << 20)
    }
}
