import RunModel

extension TestResult {
    /// A result for each argument of a parameterized test, named `counts(_:) [7]`. The whole result alone if the outcome
    /// of any argument is unknown: after a crash, a time-out or an issue without an argument, or when two arguments are written alike.
    ///
    /// How long one argument took is not recorded.
    var ofEachArgument: [TestResult] {
        let known = Set(arguments.map { Name($0) })
        let areOutcomesKnown = attempts.allSatisfy { attempt in
            [.passed, .failed, .knownIssue, .skipped].contains(attempt.outcome)
                && attempt.issues.allSatisfy { issue in issue.argument.map { known.contains(Name($0)) } ?? false }
                && attempt.outcome.isFailure == attempt.issues.contains(where: \.isFailure)
                // Skipped as a whole, and not by each argument for itself.
                && (attempt.outcome != .skipped || attempt.issues.contains(where: \.isCancellation))
        }
        guard !attempts.isEmpty, !arguments.isEmpty, known.count == arguments.count, areOutcomesKnown else {
            return [self]
        }
        return arguments.map { argument in
            var result = self
            result.id = TestID(
                module: id.module, suite: id.suite, name: "\(id.name) [\(argument)]", discriminator: id.discriminator)
            result.arguments = [argument]
            result.attempts = attempts.map { $0.of(argument) }
            // Where the test failed, an argument that failed in any attempt has failed, even if the last attempt shows nothing of it.
            let last = result.attempts.last?.outcome ?? outcome
            let failed = outcome.isFailure ? result.attempts.last { $0.outcome.isFailure } : nil
            result.outcome = failed?.outcome ?? last
            let cancellation = result.attempts.last?.issues.first(where: \.isCancellation)
            result.skipReason = result.outcome == .skipped ? cancellation?.message ?? skipReason : nil
            return result
        }
    }
}

extension TestAttempt {
    /// The attempt as that of one argument.
    fileprivate func of(_ argument: String) -> TestAttempt {
        let own = issues.filter { $0.argument.map { Name($0) } == Name(argument) }
        let outcome: Outcome =
            if own.contains(where: \.isFailure) {
                .failed
            } else if own.contains(where: \.isCancellation) {
                .skipped
            } else {
                own.contains(where: \.isKnown) ? .knownIssue : .passed
            }
        return TestAttempt(outcome: outcome, issues: own, output: output)
    }
}
