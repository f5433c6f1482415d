extension Duration {
    /// Whole nanoseconds, clamped to what 64 bits hold (292 years).
    public var nanosecondCount: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}

// The synthesized conformances of this package's types use these functions. The standard library would write a
// duration as two 64-bit halves of attoseconds, which is not readable in a file.

extension KeyedEncodingContainer {
    /// Writes a duration as an integer of nanoseconds.
    public mutating func encode(_ value: Duration, forKey key: Key) throws {
        try encode(value.nanosecondCount, forKey: key)
    }

    /// Writes a duration as an integer of nanoseconds, or nothing.
    public mutating func encodeIfPresent(_ value: Duration?, forKey key: Key) throws {
        try encodeIfPresent(value?.nanosecondCount, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Reads a duration from an integer of nanoseconds.
    public func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
        .nanoseconds(try decode(Int64.self, forKey: key))
    }

    /// Reads a duration from an integer of nanoseconds, if there is one.
    public func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
        try decodeIfPresent(Int64.self, forKey: key).map { .nanoseconds($0) }
    }
}
