public import RunModel

extension Probation.Entry {
    /// What came of the test, as a sentence that follows its name: `is new: 0 of 40 repetitions failed, so that it fails in less than 7.3 % of
    /// its runs, at 95 %.` May hold untrusted text.
    public func sentence(seed: UInt64) -> String {
        let (reason, result) = (reasonWords.map { $0 + ": " } ?? "", [usualWords, narrowWords].compactMap { $0 })
        guard !result.isEmpty else { return "\(reason)it was not repeated to an end." }
        let first = firstFailure.map { " \($0.sentence(seed: seed))" } ?? ""
        return "\(reason)\(result.joined(separator: "; ")).\(first)"
    }

    /// The whole command that repeats the test as it was when it failed first; `nil` where it never failed, or where the same company cannot
    /// be drawn again. Untrusted text.
    ///
    /// - Parameter commit: What `kanmon stress --commit` takes; `nil` for the working copy.
    public func replay(seed: UInt64, commit: String?) -> String? {
        guard let failure = firstFailure, let fellows = failure.fellows else { return nil }
        let tests = ([test] + fellows).map { ShellWord.quoted($0.description) }.joined(separator: " ")
        let all = failure.way == .company ? " --among-all" : ""
        let revision = commit.map { " --commit \(ShellWord.quoted($0))" } ?? ""
        return "kanmon stress \(tests) --seed \(seed)\(all)\(revision)"
    }

    /// How to see the first failure again, to follow the sentence: ` (kanmon stress … repeats it; it may not come again)`. Empty where it
    /// never failed; untrusted text.
    public func replayClause(seed: UInt64, commit: String?) -> String {
        guard firstFailure != nil else { return "" }
        let command = replay(seed: seed, commit: commit).map { "\($0) repeats it; " } ?? ""
        return " (\(command)it \(comesAgain ? "comes again" : "may not come again"))"
    }

    private var reasonWords: String? {
        switch reason {
        case .new?: "is new"
        case .changed?: "changed"
        case .uses(let name)?: "uses \(name.isEmpty ? "something" : name), which changed"
        case .file?: "is in a file that changed"
        case nil: nil
        }
    }

    private var usualWords: String? {
        let tally = usual
        guard tally.executions > 0 else { return nil }
        let words = "\(Figures.grouped(tally.failures)) of \(Figures.counted(tally.executions, "repetition")) failed"
        guard tally.failures == 0 else { return words }
        let bound = Self.percent(FailureBound.permille(failures: 0, of: tally.executions))
        return "\(words), so that it fails in less than \(bound) of its runs, at \(FailureBound.confidence) %"
    }

    private var narrowWords: String? {
        let tally = narrow
        guard tally.executions > 0 else { return nil }
        let words = "\(Figures.grouped(tally.failures)) of \(Figures.grouped(tally.executions))"
        return "\(words) failed with one or two threads for the tasks of Swift"
    }

    /// Tenths of a percent: `7.3 %`, `14 %`.
    private static func percent(_ permille: Int) -> String {
        permille % 10 == 0 ? "\(permille / 10) %" : "\(permille / 10).\(permille % 10) %"
    }
}

extension TestRun {
    /// What `kanmon stress --commit` takes to repeat tests of this run; `nil` for a working copy.
    public var stressedCommit: String? {
        self.revision.flatMap { $0.isExact ? $0.commit : nil }.map { String($0.prefix(12)) }
    }
}

extension Probation.Failure {
    /// `First in repetition 7, alone, at Tests/A.swift:3: the server did not answer`; untrusted text.
    func sentence(seed: UInt64) -> String {
        let issue = sample.issues.first
        let place = issue?.location.map { ", at \($0)" } ?? ""
        let lines = (issue?.message ?? "").split(whereSeparator: \.isNewline).prefix(4).map { line in
            String(line.drop { $0 == " " }.prefix(300))
        }
        let said = lines.isEmpty ? sample.outcome.label : lines.joined(separator: "; ")
        let others = waiting.prefix(3).map(\.description).joined(separator: ", ")
        let more = waiting.count > 3 ? " and \(Figures.grouped(waiting.count - 3)) more" : ""
        let waited = waiting.isEmpty ? "" : ", while \(others)\(more) waited"
        let surroundings = way.words(seed: fellows == nil ? nil : seed)
        return "First in repetition \(Figures.grouped(repetition)), \(surroundings)\(waited)\(place): \(said)"
    }
}

extension Probation.Way {
    /// Where a test ran, in words.
    ///
    /// - Parameter seed: `nil` where it draws nothing of it again.
    func words(seed: UInt64?) -> String {
        switch self {
        case .alone: "alone"
        case .company: "among all tests"
        case .drawnCompany: seed.map { "among tests that seed \($0) drew" } ?? "among tests that were drawn"
        case .oneThread: "alone, with one thread for the tasks of Swift"
        case .twoThreads: "alone, with two threads for the tasks of Swift"
        }
    }
}
