/// When a message that did not arrive is sent again: soon at first, and within a day and a half for the last time.
public enum RetrySchedule {
    /// The pauses behind the first attempts; behind one more, a message is given up.
    private static let pauses: [Duration] = [
        .seconds(5), .seconds(60), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(21_600), .seconds(86_400),
    ]

    /// How long to wait after a number of attempts; `nil` to give up.
    ///
    /// - Parameter share: 0 to 1, at random: pauses are up to a fifth longer, so that messages that failed together do not come
    ///   together again.
    public static func pause(after attempts: Int, share: Double) -> Duration? {
        guard attempts >= 1, attempts <= pauses.count else { return nil }
        return pauses[attempts - 1] * (1 + 0.2 * min(max(share, 0), 1))
    }
}
