import Evidence
import RunModel

extension EventStream.Function {
    /// The result of this function.
    ///
    /// - Parameter unended: How an execution that began and did not end is to be taken; its own issues are put in front.
    func result(
        id: TestID,
        paths: PackagePaths,
        unended: (EventStream.Function) -> TestAttempt
    ) -> TestResult {
        var result = TestResult(
            id: id, library: .swiftTesting, outcome: .notRun, displayName: displayName,
            suiteDisplayName: suiteDisplayName, tags: tags, location: paths.relative(location), arguments: arguments
        )
        result.attempts = executions.map { execution in
            let issues = inOrderOfArguments(execution.issues).map(paths.relative)
            guard let end = execution.end else {
                var attempt = unended(self)
                attempt.issues = issues + attempt.issues
                return attempt
            }
            return TestAttempt(
                outcome: execution.outcome, duration: StrictNumber.duration(seconds: end - execution.start),
                issues: issues
            )
        }
        // In one process a test runs again only where something has it repeated: nothing that passed then makes it good.
        result.outcome = result.attempts.map(\.outcome).max { $0.badness < $1.badness } ?? .notRun
        if isSkipped, result.outcome == .notRun || result.outcome == .passed {
            // A test that cancels itself has begun; that it was skipped is its own word anyway.
            result.outcome = .skipped
            result.skipReason = skipReason
            if let last = result.attempts.indices.last { result.attempts[last].outcome = .skipped }
        }
        if result.outcome == .skipped, result.skipReason == nil {
            result.skipReason = result.attempts.last?.issues.first { $0.isCancellation && !$0.message.isEmpty }?.message
        }
        return result
    }

    /// The cases of a parameterized test run at the same time: what they recorded has an order that another run
    /// gives again. What names no argument comes first.
    private func inOrderOfArguments(_ issues: [Issue]) -> [Issue] {
        guard isParameterized, issues.count > 1 else { return issues }
        var places: [Name: Int] = [:]
        for (place, argument) in arguments.enumerated() where places[Name(argument)] == nil {
            places[Name(argument)] = place
        }
        let keyed = issues.enumerated().map { number, issue in
            (place: issue.argument.map { places[Name($0)] ?? arguments.count } ?? -1, number: number, issue: issue)
        }
        return keyed.sorted { ($0.place, $0.number) < ($1.place, $1.number) }.map(\.issue)
    }
}

extension EventStream.Execution {
    /// How an execution that came to its end went.
    fileprivate var outcome: Outcome {
        if issues.contains(where: \.isFailure) { return .failed }
        if cases.cancelled > 0, cases.cancelled >= cases.begun { return .skipped }
        return issues.contains(where: \.isKnown) ? .knownIssue : .passed
    }
}
