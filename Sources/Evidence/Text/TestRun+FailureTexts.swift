import RunModel

extension TestRun {
    /// So many bytes of what all failures of a run say are kept as they are: 16 MiB.
    static let mostFailureText = 16 << 20
    /// Of every text behind those, so many at either end.
    private static let briefText = 512

    /// Cuts what failures say to the beginning and the end of each, and notes it: what nobody can read must not fill memory, store
    /// and pages. The evidence in the run directory has it whole.
    ///
    /// - Parameter most: How many bytes of all are kept.
    mutating func cutFailureTexts(most: Int = Self.mostFailureText) {
        let lengths = failures.flatMap(\.attempts).flatMap { attempt in
            attempt.issues.map(\.message.utf8.count) + [attempt.output?.utf8.count ?? 0]
        }
        guard lengths.contains(where: { $0 > 2 * HeadAndTail.limit }) || lengths.reduce(0, +) > most else { return }
        var (left, count) = (most, 0)
        func cut(_ text: String) -> String {
            let kept = HeadAndTail.cut(text, most: left > 0 ? HeadAndTail.limit : Self.briefText)
            left -= kept.utf8.count
            if kept.utf8.count != text.utf8.count { count += 1 }
            return kept
        }
        var tests = self.tests
        for test in tests.indices where tests[test].outcome.isFailure {
            for attempt in tests[test].attempts.indices {
                for issue in tests[test].attempts[attempt].issues.indices {
                    let message = tests[test].attempts[attempt].issues[issue].message
                    tests[test].attempts[attempt].issues[issue].message = cut(message)
                }
                tests[test].attempts[attempt].output = tests[test].attempts[attempt].output.map(cut)
            }
        }
        guard count > 0 else { return }
        self.tests = tests
        notes.append(Note(.textsCut, detail: "\(count) of \(lengths.count { $0 > 0 }) texts were cut"))
    }
}
