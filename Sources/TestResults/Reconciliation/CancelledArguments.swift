import RunModel

extension [TestResult] {
    /// Says which tests passed for some of their arguments only; `nil` where none did.
    var noteOnCancelledArguments: Note? {
        let partly = filter { $0.outcome != .skipped && $0.wordsOnCancelledArguments != nil }
        guard let first = partly.first, let words = first.wordsOnCancelledArguments else { return nil }
        let others = partly.count > 1 ? "; and \(partly.count - 1) more tests" : ""
        return Note(.argumentsCancelled, subject: first.id.description, detail: words + others)
    }
}
