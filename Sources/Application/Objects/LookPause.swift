/// How long a server waits until it looks at the objects again.
enum LookPause {
    /// The longest pause while the store does not answer.
    private static let longest = Duration.seconds(30)

    /// The usual pause; while the store does not answer a longer one, so that it is not kept busy, and one at random, so that servers that
    /// have lost it together do not come back together.
    ///
    /// - Parameters:
    ///   - failures: How many looks in a row the store has not answered.
    ///   - share: 0 to 1, at random.
    static func pause(_ usual: Duration, after failures: Int, share: Double) -> Duration {
        guard failures > 0 else { return usual }
        let most = min(usual * (1 << min(failures, 4)), max(usual, longest))
        return most * (0.5 + 0.5 * min(max(share, 0), 1))
    }
}
