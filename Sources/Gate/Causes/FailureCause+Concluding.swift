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
    ///   - isLaidOut: Whether the base was checked out in the same way as the tested tree.
    init(
        of failure: TestResult, _ seen: FailureObservation, _ contact: ChangeContact, _ match: FailureMatch,
        isLaidOut: Bool
    ) {
        let evidence = CauseEvidence(
            own: FailureSample(failure), seen: seen, contact: contact, match: match, isLaidOut: isLaidOut)
        let (kind, doubt) = evidence.conclusion
        self.init(
            test: failure.id, kind: kind, doubt: doubt, alone: seen.alone, company: seen.company,
            fellows: seen.fellows, base: seen.base?.tally ?? TrialTally(), storedRun: evidence.storedRun(for: kind),
            sameRuns: kind == .broken ? evidence.sameRuns : nil, functions: contact.functions,
            variables: [.environment, .unreached].contains(kind) ? evidence.otherVariables : nil)
        functionCount += contact.more
    }
}

/// What is known of one failure.
private struct CauseEvidence {
    let own: FailureSample?
    let seen: FailureObservation
    let contact: ChangeContact
    let match: FailureMatch
    let isLaidOut: Bool

    /// So often it must have failed before the change, and never passed: fewer times may be chance.
    private static let enough = 3
    /// Of fewer executions before the change nobody can say how often it failed.
    private static let fewest = 5

    private var here: TrialTally { seen.alone + seen.company }
    private var base: TrialTally { seen.base?.tally ?? TrialTally() }

    private var storedFailures: [FailureObservation.Stored] { seen.stored.filter { $0.outcome.isFailure } }
    private var storedPasses: [FailureObservation.Stored] {
        seen.stored.filter { [.passed, .knownIssue].contains($0.outcome) }
    }

    /// A stored run that passed it with other variables, where it is known which.
    private var otherwise: FailureObservation.PassOtherwise? {
        seen.otherwise.flatMap { $0.variables.isEmpty ? nil : $0 }
    }

    /// All that was seen before the change, now and in stored runs.
    private var before: TrialTally {
        let flakes = seen.elsewhere == nil ? 0 : 1
        return base + TrialTally(passed: storedPasses.count + flakes, failed: storedFailures.count + flakes)
    }

    /// Whether it failed on the base in the way in which it failed here.
    private func isSame(_ failure: FailureSample?) -> Bool {
        guard let own, let failure else { return false }
        return match.isSame(own, as: failure)
    }

    /// Whether it failed here in the same way, and no more: a change can break more of what the base has broken. Long numbers may be what
    /// a changed function computed, also for another test that hands it on, so they count unless nobody executes the change.
    private func isNoMore(_ failure: FailureSample?) -> Bool {
        guard let own, let failure else { return false }
        return match.isNoMore(own, than: failure, ignoresNumbers: contact.isNone)
    }

    /// Whether the base was run now and failed it in the same way, however it was run.
    ///
    /// - Parameter isEqual: What is the same way.
    private func failsOnBase(_ isEqual: (FailureSample) -> Bool) -> Bool {
        let failures = seen.base?.failures ?? []
        return base.failures > 0 && !failures.isEmpty && failures.allSatisfy(isEqual)
    }

    /// The class, and what is missing where that is unknown.
    var conclusion: (FailureCause.Kind, FailureCause.Doubt?) {
        if seen.base?.isMissing == true { return (.new, nil) }
        if isOfOrder { return (.order, nil) }
        if here.passed > 0 { return whereItPassesToo }
        if base.failures > 0 || !storedFailures.isEmpty { return whereBaseFails }
        return base.passed > 0 ? whereBasePasses : byStoredPasses
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
        // The change may have made it worse. Few executions before exclude no rate, so that it may not fail here for the most part.
        let likely = FailureRate(before).bounds.upperBound
        let highest = before.executions < Self.fewest ? min(likely, 0.5) : likely
        if Double(here.failures) > highest * Double(here.executions) {
            return isYours ? (.yours, nil) : (.unknown, .moreOften)
        }
        if hasFailedBefore || contact.isNone { return (.flaky, nil) }
        return isYours ? (.yours, nil) : (.unknown, .unsteady)
    }

    /// Whether it failed before the change in the same way, and not because of the folder, for want of the other tests, or by what was left
    /// in the user's folders.
    private var hasFailedBefore: Bool {
        if storedFailures.contains(where: { $0.isHere && isSame($0.failure) }) { return true }
        if let own, let flake = seen.elsewhere, match.isAlike(own, flake.failure) { return true }
        guard failsOnBase({ isSame($0) }), let base = seen.base else { return false }
        let isMixed = [base.alone, base.company].contains { $0.passed > 0 && $0.failures > 0 }
        return isMixed || isLaidOut && base.company.failures > 0 && (base.emptied?.failures ?? 0) > 0
    }

    /// It has always failed here, and fails on the base.
    private var whereBaseFails: (FailureCause.Kind, FailureCause.Doubt?) {
        // On the base it is flaky. That it always fails here, if it does, may be the change.
        if base.passed > 0 || !storedPasses.isEmpty && !storedFailures.isEmpty { return (.unknown, .moreOften) }
        let failsNow = failsOnBase { isNoMore($0) }
        guard base.failures == 0 || failsNow, storedFailures.allSatisfy({ isNoMore($0.failure) }) else {
            return (.unknown, .otherFailure)
        }
        let company = seen.base?.company.failures ?? 0
        let failures = base.failures + storedFailures.count
        guard storedPasses.isEmpty else {
            // Of a run in another folder, the folder may be what differs.
            guard isLaidOut, storedPasses.contains(where: \.isHere) else { return (.unknown, .otherPlace) }
            guard company > 0 && failures >= Self.enough else { return (.unknown, .tooFew) }
            if let doubt = doubtOfHome { return (.unknown, doubt) }
            return (.environment, nil)
        }
        let isStoredHere = storedFailures.contains(where: \.isHere)
        guard isStoredHere || isLaidOut && company > 0 else {
            return (.unknown, isLaidOut && storedFailures.isEmpty ? .tooFew : .otherPlace)
        }
        guard failures >= Self.enough || contact.isNone && here.failures >= 2 else { return (.unknown, .tooFew) }
        // A stored run may have come after the change was tried out, so that what was left misled it as well. Where the base passes without
        // that, nothing acquits.
        if let doubt = doubtOfHome, !isStoredHere || doubt == .leftBehind { return (.unknown, doubt) }
        guard otherwise != nil else { return (.broken, nil) }
        // The base passes it with other variables. Those of this run may be the change's own, where only stored runs had them, too.
        return failsNow && failures >= Self.enough ? (.environment, nil) : (.unknown, .tooFew)
    }

    /// Why it may fail on the base now only for what is left in the user's folders: the change has run there before. `nil` where it fails in
    /// the same way without that.
    private var doubtOfHome: FailureCause.Doubt? {
        guard let base = seen.base, let emptied = base.emptied, emptied.executions > 0 else { return .tooFew }
        return emptied.passed == 0 && isNoMore(base.emptiedFailure) ? nil : .leftBehind
    }

    /// It has always failed here, and the base, run for the purpose, passes it.
    private var whereBasePasses: (FailureCause.Kind, FailureCause.Doubt?) {
        guard here.failures > 0 else { return (.unknown, .tooFew) }
        if contact.isNone {
            return here.failures >= 2 && base.passed >= 2 ? (.unreached, nil) : (.unknown, .tooFew)
        }
        return contact.executesNone ? (.unknown, .indirect) : (.yours, nil)
    }

    /// It has always failed here, and nothing but stored runs that passed it speaks for the base.
    private var byStoredPasses: (FailureCause.Kind, FailureCause.Doubt?) {
        let isYours = !storedPasses.isEmpty && here.failures > 0 && !contact.functions.isEmpty
        return isYours ? (.yours, nil) : (.unknown, .base)
    }

    /// The stored runs of the base's tree of which it is sure that they failed it in the way in which it failed here; `nil` for none. A
    /// verdict may rest on them.
    var sameRuns: [RunID]? {
        guard let own else { return nil }
        let runs = storedFailures.filter { stored in
            stored.failure.map { match.isSurelyNoMore(own, than: $0) } == true
        }.map(\.run)
        return runs.isEmpty ? nil : runs
    }

    /// The variables that differ in the only stored runs that passed it; `nil` where one of them had the same.
    var otherVariables: [String]? { storedPasses.isEmpty ? otherwise?.variables : nil }

    /// The stored run that a class rests on.
    func storedRun(for kind: FailureCause.Kind) -> RunID? {
        switch kind {
        case .broken: storedFailures.first { $0.isHere }?.run
        case .flaky: storedFailures.first?.run ?? seen.elsewhere?.failed
        case .environment: storedPasses.first { $0.isHere }?.run ?? otherwise?.run
        case .yours: storedPasses.first?.run
        case .unreached: otherVariables == nil ? nil : otherwise?.run
        case .order, .new, .unknown: nil
        }
    }
}
