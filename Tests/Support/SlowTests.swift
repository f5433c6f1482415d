public import Testing

import class Foundation.ProcessInfo

extension Trait where Self == ConditionTrait {
    /// Marks a test or suite that takes longer than a second: `scripts/test --fast` leaves it out.
    ///
    /// Swift Testing can select by identity only, not by tag, so the choice is a condition: the test is reported as
    /// skipped, never silently absent.
    public static var slow: Self {
        .disabled(if: ProcessInfo.processInfo.environment["KANMON_SKIP_SLOW"] == "1", "slow")
    }
}
