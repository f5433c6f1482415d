/// How long to wait before a request is sent again.
enum RetryPause {
    /// How often a request is sent at most.
    static let mostAttempts = 6
    /// The longest pause that was not asked for.
    private static let longest = Duration.seconds(20)

    /// The pause: at random up to a time that doubles with each attempt, so that requests that failed together do not come together
    /// again; and no less than the store asks for.
    ///
    /// - Parameters:
    ///   - attempts: How often it was sent.
    ///   - asked: How long the store wants to be left alone.
    ///   - share: 0 to 1, at random.
    /// - Returns: `nil` to give up.
    static func pause(
        after attempts: Int, _ retry: S3Failure.Retry, asked: Duration? = nil, share: Double
    ) -> Duration? {
        let first: Duration
        switch retry {
        // Credentials that are read again are tried at once, by whoever has them.
        case .never, .signedAnew: return nil
        case .soon: first = .milliseconds(100)
        case .slowly: first = .milliseconds(500)
        }
        guard (1..<mostAttempts).contains(attempts) else { return nil }
        let most = min(first * (1 << (attempts - 1)), longest)
        return max(most * min(max(share, 0), 1), asked ?? .zero)
    }
}
