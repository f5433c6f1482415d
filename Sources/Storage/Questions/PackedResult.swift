import RunModel

/// The result of a test in a run, packed into one byte.
struct PackedResult: Equatable {
    /// How many attempts there were.
    enum Attempts: UInt8 {
        case none, one
        /// They are in the rows of `attempt`.
        case listed
    }

    var outcome: Outcome
    var library: TestingLibrary
    var attempts: Attempts

    init(outcome: Outcome, library: TestingLibrary, attempts: Attempts) {
        (self.outcome, self.library, self.attempts) = (outcome, library, attempts)
    }

    /// Reads a byte: three bits for the outcome, two for the library, two for the attempts.
    init(_ byte: UInt8) throws {
        guard let attempts = Attempts(rawValue: byte >> 5) else { throw UnreadableContent("unknown ending \(byte)") }
        outcome = try Outcome(storedCode: Int64(byte & 7))
        library = try TestingLibrary(storedCode: Int64(byte >> 3 & 3))
        self.attempts = attempts
    }

    var byte: UInt8 { UInt8(outcome.storedCode) | UInt8(library.storedCode) << 3 | attempts.rawValue << 5 }

    /// Whether the outcome in a byte fails a run; cheaper than decoding all of it.
    static func isFailure(_ byte: UInt8) -> Bool { (1...3).contains(byte & 7) }
}

extension TestResult {
    /// Whether its only attempt adds nothing to the result.
    var hasOneAttemptLikeItself: Bool { attempts.count == 1 && attempts[0].outcome == outcome }

    /// Its packed form.
    var ending: PackedResult {
        PackedResult(
            outcome: outcome, library: library,
            attempts: attempts.isEmpty ? .none : hasOneAttemptLikeItself ? .one : .listed
        )
    }

    /// Whether a byte and a duration are not enough.
    var isNotable: Bool {
        outcome.isFailure || !(attempts.isEmpty || (hasOneAttemptLikeItself && attempts[0].issues.isEmpty))
    }
}
