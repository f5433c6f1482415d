import Observation

/// The macro makes accessors of `speed`, which are nobody's lines.
@Observable public final class Car {
    /// How fast it is.
    public var speed = 0

    /// It stands still.
    public init() {}

    /// It gets faster.
    public func go() {
        speed += made(1)
    }
}
