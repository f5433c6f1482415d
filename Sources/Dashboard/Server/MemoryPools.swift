import Glibc

/// The pools that memory comes from.
public enum MemoryPools {
    private typealias Option = @convention(c) (_ name: Int32, _ value: Int32) -> Int32
    /// `M_ARENA_MAX` of malloc.h, which Swift's module of the C library leaves out.
    private static let mostPools: Int32 = -8

    /// Lets all threads share one pool. By default each thread keeps what it once took, so that a few large answers, made on one thread
    /// after the other, take as many times the memory of one. A C library without such pools is left as it is.
    /// Threads that have a pool by then keep it, so this comes before anything else.
    public static func limit() {
        guard let option = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(option, to: Option.self)(mostPools, 1)
    }

    private typealias Trim = @convention(c) (_ left: Int) -> Int32

    /// Gives the system what is free in the pool. What a large answer was made of is spread over the pool in small pieces, and would
    /// otherwise stay until the next one of that size.
    static func giveBack() {
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: Trim.self)(0)
    }
}
