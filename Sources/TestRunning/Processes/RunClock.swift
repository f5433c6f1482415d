/// The clock of every time limit: it never jumps, and stands still while the machine sleeps.
///
/// Nothing runs in that time, so it is nobody's delay. `ContinuousClock` goes on in it: on Linux that is `CLOCK_BOOTTIME`, this
/// one is `CLOCK_MONOTONIC`.
typealias RunClock = SuspendingClock
