/// The clock of every time limit: it never jumps, and stops while the machine sleeps.
///
/// Sleep must not count as delay. `ContinuousClock` would go on: on Linux that is `CLOCK_BOOTTIME`, this one is
/// `CLOCK_MONOTONIC`.
typealias RunClock = SuspendingClock
