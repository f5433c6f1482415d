import RunModel

extension FailureCause {
    /// Concludes why a test failed: a pure function of what was seen.
    ///
    /// A failure that the change has caused is never called anything but yours, order or unknown. So every other class rests on
    /// something that was seen, and not on what is missing.
    ///
    /// - Parameters:
    ///   - failure: The test as it failed in the run.
    ///   - contact: What it executes of the change.
    ///   - match: Compares its failures with those on the base.
    init(of failure: TestResult, _ seen: FailureObservation, _ contact: ChangeContact, _ match: FailureMatch) {
        let evidence = CauseEvidence(own: FailureSample(failure), seen: seen, contact: contact, match: match)
        let (kind, doubt) = evidence.conclusion
        self.init(
            test: failure.id, kind: kind, doubt: doubt, alone: seen.alone, company: seen.company,
            fellows: seen.fellows, base: seen.base?.tally ?? TrialTally(), storedRun: evidence.storedRun(for: kind),
            sameRuns: kind == .broken ? evidence.sameRuns : nil, functions: contact.functions)
    }
}

/// What is known of one failure.
private struct CauseEvidence {
    let own: FailureSample?
    let seen: FailureObservation
    let contact: ChangeContact
    let match: FailureMatch

    private var here: TrialTally { seen.alone + seen.company }
    private var base: TrialTally { seen.base?.tally ?? TrialTally() }

    /// Whether it failed on the base in the way in which it failed here.
    private func isSame(_ failure: FailureSample?) -> Bool {
        guard let own, let failure else { return false }
        return match.isSame(own, as: failure)
    }

    private var storedFailures: [FailureObservation.Stored] { seen.stored.filter { $0.outcome.isFailure } }
    private var storedPasses: [FailureObservation.Stored] {
        seen.stored.filter { [.passed, .knownIssue].contains($0.outcome) }
    }

    /// The class, and what is missing where that is unknown.
    var conclusion: (FailureCause.Kind, FailureCause.Doubt?) {
        if seen.base?.isMissing == true { return (.new, nil) }
        if isOfOrder { return (.order, nil) }
        if here.passed > 0 { return whereItPassesToo }
        return base.executions > 0 ? byBaseNow : byStoredRuns
    }

    /// Whether it passes alone each time, and fails among others.
    private var isOfOrder: Bool {
        guard seen.alone.failures == 0, seen.alone.passed >= 2 else { return false }
        return !seen.fellows.isEmpty || seen.company.failures >= 2 && seen.company.passed == 0
    }

    /// It has failed here in the run, and passes here as well.
    private var whereItPassesToo: (FailureCause.Kind, FailureCause.Doubt?) {
        let isOnlyHere = base.failures == 0 && storedFailures.isEmpty && seen.elsewhere == nil
        let isYours = isOnlyHere && base.passed >= 3 && !contact.functions.isEmpty
        // The change may have made it worse.
        if let rate = RateInterval(here), let before = RateInterval(base), rate.low > before.high {
            return isYours ? (.yours, nil) : (.unknown, .moreOften)
        }
        let failedOnBase =
            base.failures > 0 && isSame(seen.base?.failure) || storedFailures.contains { isSame($0.failure) }
        if failedOnBase || hasFlakedElsewhere || contact.isNone { return (.flaky, nil) }
        return isYours ? (.yours, nil) : (.unknown, .unsteady)
    }

    private var hasFlakedElsewhere: Bool {
        guard let own, let flake = seen.elsewhere else { return false }
        return match.isAlike(own, flake.failure)
    }

    /// It has always failed here, and the base was run for the purpose.
    private var byBaseNow: (FailureCause.Kind, FailureCause.Doubt?) {
        guard base.failures > 0 else {
            guard here.failures > 0 else { return (.unknown, .tooFew) }
            guard contact.isNone else { return (.yours, nil) }
            return here.failures >= 2 && base.passed >= 2 ? (.unreached, nil) : (.unknown, .tooFew)
        }
        // On the base it is flaky. That it always fails here, if it does, may be the change.
        if base.passed > 0 || !storedPasses.isEmpty && !storedFailures.isEmpty { return (.unknown, .moreOften) }
        guard isSame(seen.base?.failure) else { return (.unknown, .otherFailure) }
        // Once may be chance.
        guard base.failures >= 2 else { return (.unknown, .tooFew) }
        return (storedPasses.isEmpty ? .broken : .environment, nil)
    }

    /// It has always failed here, and nothing but stored runs speaks for the base.
    private var byStoredRuns: (FailureCause.Kind, FailureCause.Doubt?) {
        guard storedFailures.isEmpty else {
            guard storedPasses.isEmpty else { return (.unknown, .moreOften) }
            guard storedFailures.allSatisfy({ isSame($0.failure) }) else { return (.unknown, .otherFailure) }
            // Once there, and never again here, may be chance.
            return storedFailures.count >= 2 || here.failures >= 2 ? (.broken, nil) : (.unknown, .tooFew)
        }
        let isYours = !storedPasses.isEmpty && here.failures > 0 && !contact.functions.isEmpty
        return isYours ? (.yours, nil) : (.unknown, .base)
    }

    /// The stored runs of the base's tree that failed it in the way in which it failed here; `nil` for none.
    var sameRuns: [RunID]? {
        let runs = storedFailures.filter { isSame($0.failure) }.map(\.run)
        return runs.isEmpty ? nil : runs
    }

    /// The stored run that a class rests on.
    func storedRun(for kind: FailureCause.Kind) -> RunID? {
        switch kind {
        case .broken, .flaky: storedFailures.first?.run ?? (kind == .flaky ? seen.elsewhere?.failed : nil)
        case .environment, .yours: storedPasses.first?.run
        case .order, .unreached, .new, .unknown: nil
        }
    }
}
