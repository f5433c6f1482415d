import RunModel

extension TestResult {
    /// Whether this retry, in which nothing failed, did again what failed before: it ran to its end, for the arguments that
    /// failed, and no failure is called a known issue now. One that skipped itself shows nothing.
    func repeats(what before: TestResult) -> Bool {
        guard outcome == .passed || outcome == .knownIssue, let last = attempts.last else { return false }
        let earlier = before.attempts.flatMap(\.issues)
        let known = Set(earlier.filter(\.isKnown).map(IssuePlace.init))
        guard last.issues.allSatisfy({ !$0.isKnown || known.contains(IssuePlace($0)) }) else { return false }
        let failed = earlier.filter(\.isFailure).map(\.argument)
        // What was recorded for none of the arguments may be of any.
        let wanted = failed.contains(nil) ? before.arguments : failed.compactMap(\.self)
        let cancelled = last.issues.filter(\.isCancellation).map(\.argument)
        guard !wanted.isEmpty else { return cancelled.isEmpty }
        let ran = Set(arguments.map { Name($0) }).subtracting(cancelled.compactMap(\.self).map { Name($0) })
        return !cancelled.contains(nil) && wanted.allSatisfy { ran.contains(Name($0)) }
    }
}

/// What two issues have in common that say the same of one place.
private struct IssuePlace: Hashable {
    let argument: Name
    let place: Name

    init(_ issue: Issue) {
        argument = Name(issue.argument ?? "")
        place = Name(issue.location?.description ?? issue.message)
    }
}
