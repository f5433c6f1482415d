public import Gate
public import RunModel

extension FailureExplanation {
    /// What is said below a failed test in a list; `nil` where nothing is known. May hold untrusted text.
    public func words(on test: TestID) -> String? {
        cause(of: test).map { sentence(on: $0) } ?? origin(of: test)?.words
    }

    /// What is said of a failed test that is read alone; `nil` where nothing was asked. May hold untrusted text.
    public func sentence(on test: TestID) -> String? {
        cause(of: test).map { sentence(on: $0) } ?? origin(of: test)?.sentence
    }

    /// `4 failed: 1 is yours (URLRule.match), 2 were broken before this change, since abc1234, 1 is flaky (3 of 20).`; `nil` where nothing
    /// failed, or where one sentence on the only failure says it all. May hold untrusted text.
    public var inShort: String? {
        guard let causes else { return origins.inShort }
        guard !causes.entries.isEmpty else {
            return causes.obstacle.map { "Why they failed is not known: \($0)." } ?? origins.inShort
        }
        let all = max(causes.entries.count, origins.count)
        guard all > 1 else { return nil }
        var parts = FailureCause.Kind.allCases.compactMap { kind in
            part(kind, causes.entries.filter { $0.kind == kind })
        }
        let rest = all - causes.entries.count
        if rest > 0 { parts.append("\(Figures.grouped(rest)) \(rest == 1 ? "was" : "were") not looked at") }
        let count = Figures.grouped(all)
        let failed = origins.count == FailureOrigin.most ? "Of the first \(count) that failed" : "\(count) failed"
        return "\(failed): \(parts.joined(separator: ", "))."
    }

    /// What tests have in common that failed for one reason, a sentence for each reason. Untrusted text.
    public var commonReasons: [String] {
        groups.map { "\(Figures.counted($0.tests.count, "test")) failed for one reason: \($0.reason)" }
    }

    private func part(_ kind: FailureCause.Kind, _ entries: [FailureCause]) -> String? {
        guard !entries.isEmpty else { return nil }
        let (count, isOne) = (Figures.grouped(entries.count), entries.count == 1)
        let verb = isOne ? "is" : "are"
        switch kind {
        case .yours:
            let functions = entries.flatMap(\.functions).eachOnce
            return "\(count) \(verb) yours" + (functions.isEmpty ? "" : " (\(OwnerWords.list(functions)))")
        case .broken:
            let commits = entries.map { redSince($0.test)?.commit.map { String($0.prefix(12)) } ?? "" }.eachOnce
            let since = commits.count == 1 && !commits[0].isEmpty ? ", since \(commits[0])" : ""
            return "\(count) \(isOne ? "was" : "were") broken before this change\(since)"
        case .flaky:
            let rate = isOne && entries[0].here.executions > 0 ? " (\(entries[0].here.fraction))" : ""
            return "\(count) \(verb) flaky\(rate)"
        case .environment: return "\(count) \(isOne ? "fails" : "fail") by the environment"
        case .order: return "\(count) \(isOne ? "depends" : "depend") on the order"
        case .unreached: return "\(count) \(verb) not reached by the change"
        case .new: return "\(count) \(verb) new"
        case .unknown: return "of \(count) nobody can say why"
        }
    }

    private func sentence(on cause: FailureCause) -> String {
        cause.sentence(since: redSince(cause.test), obstacle: causes?.obstacle)
    }
}

extension BranchChange {
    /// Why tests of its run failed, in a sentence; `nil` where none failed, or nobody looked. May hold untrusted text.
    public var causeWords: String? {
        guard let failures, let first = failures.causes?.entries.first else { return nil }
        return failures.inShort ?? failures.sentence(on: first.test)
    }
}

extension FailureCause {
    /// The class with its proof.
    fileprivate func sentence(since: FailureOrigin.FirstFailure?, obstacle: String?) -> String {
        let executed = functions.isEmpty ? "" : "; it executes \(functionWords), which changed"
        switch kind {
        case .yours:
            let onBase =
                base.executions > 0
                ? "on the base \(base.fraction)" : "run \(storedRun?.short ?? "?") of the base passed it"
            return isNewFlake
                ? "Yours, a new flake: it fails here \(here.rate) and \(onBase)\(executed)."
                : "Yours: it fails here \(here.fraction) times, and \(onBase)\(executed)."
        case .broken:
            let proof =
                base.executions > 0
                ? "it fails on the base in the same way, \(base.fraction) times"
                : "run \(storedRun?.short ?? "?") of the base failed it in the same way"
            return "Broken before this change: \(proof)" + (since.map { ", \($0.words)" } ?? "") + "."
        case .flaky:
            let onBase = base.executions > 0 ? ", on the base \(base.fraction)" : ""
            let stored = storedRun.map { "; run \($0.short) of other sources failed it, too" } ?? ""
            // Without a failure before the change, that is the proof.
            let reached = base.failures == 0 && storedRun == nil ? "; nobody executes the change" : ""
            return "Flaky: repeated here it fails \(here.rate)\(onBase)\(stored)\(reached)."
        case .environment:
            let proof =
                "The environment: it fails on the base now, \(base.fraction) times and in the same way, "
                + "and run \(storedRun?.short ?? "?") of the same sources passed it"
            guard let variables else { return "\(proof). The machine, the clock, the network or a service differs." }
            return "\(proof) with other variables: \(OwnerWords.list(variables)). "
                + "These are why, or the machine, the clock, the network or a service."
        case .order:
            let among =
                fellows.isEmpty
                ? "among the other tests it fails \(company.fraction) times"
                : "in the company of \(OwnerWords.list(fellows.map(\.description))) it fails"
            return "The order: alone it passes \(alone.passed) of \(alone.executions) times, \(among)."
        case .unreached:
            let other = variables.map { names in
                "run \(storedRun?.short ?? "?") of the base passed it here with other variables, "
                    + "\(OwnerWords.list(names)); or it is a file, or what was built"
            }
            return "Not reached: it fails here \(here.fraction) times and on the base \(base.fraction), "
                + "though nobody executes the change. "
                + "Something besides the sources differs: \(other ?? "a file, a variable, what was built")."
        case .new: return "New: the base has no such test\(executed)."
        case .unknown: return "Unknown why: \(doubtWords(obstacle))"
        }
    }

    private func doubtWords(_ obstacle: String?) -> String {
        let seen = here.executions > 0 ? "repeated here it fails \(here.rate)" : "it was not repeated here"
        switch doubt {
        case .base?, nil:
            let reason = obstacle.map { ": \($0)" } ?? ""
            return "\(seen), and nothing is known of the base\(reason). A run on the base would tell."
        case .otherFailure?:
            return "it fails on the base as well, and nothing shows that it does so in the same way. "
                + "Mend the base first, then run again."
        case .otherPlace?:
            let onBase =
                base.executions > 0
                ? "it fails on the base as well, \(base.fraction) times" : "a stored run of the base failed it as well"
            return "\(onBase) and in the same way, but in another folder, or without the tests around it, "
                + "which may be why. A run of the base in this folder would tell, or kanmon run --commit."
        case .leftBehind?:
            return "it fails on the base as well, \(base.fraction) times and in the same way, "
                + "but not with an empty home folder and an empty folder for temporary files. "
                + "What tests have left there may be why, those of this change among them. "
                + "Remove what they keep there, then run again."
        case .indirect?:
            return "\(seen), on the base \(base.fraction), and it executes nothing of the change by itself. "
                + "What other tests leave behind may reach it, or something besides the sources differs."
        case .moreOften?:
            return "\(seen), on the base \(base.fraction): the change may have made it worse. "
                + "More repetitions would tell."
        case .unsteady?:
            return "\(seen), and nothing shows that it was flaky before this change. "
                + "More repetitions on the base would tell."
        case .tooFew?:
            let reason = base.executions > 0 ? nil : obstacle.map { "the base was not run: \($0)" }
            return "\(seen), \(reason ?? "on the base \(base.fraction)"). "
                + "That is too few to tell; a larger causes.budget would."
        }
    }

    private var functionWords: String {
        let more = functionCount - functions.count
        return functions.joined(separator: ", ") + (more > 0 ? " and \(Figures.grouped(more)) more" : "")
    }
}

extension TrialTally {
    /// `3 of 20`: the failures, and the executions.
    public var fraction: String { "\(failures) of \(executions)" }

    /// `3 of 20 times (5 to 37 %)`: with the interval of the rate at 95 %.
    fileprivate var rate: String {
        guard executions > 0 else { return "\(fraction) times" }
        let bounds = FailureRate(self).bounds
        let (low, high) = (Int((bounds.lowerBound * 100).rounded(.down)), Int((bounds.upperBound * 100).rounded(.up)))
        return "\(fraction) times (\(low) to \(high) %)"
    }
}

extension [String] {
    /// Each text once, in order; compared byte by byte.
    fileprivate var eachOnce: [String] {
        var seen: Set<Name> = []
        return filter { seen.insert(Name($0)).inserted }
    }
}
