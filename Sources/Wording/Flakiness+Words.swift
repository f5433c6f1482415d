public import Gate
public import RunModel

extension FailureRate {
    /// `12 of 98`.
    public var tally: String { "\(Figures.grouped(failures)) of \(Figures.grouped(executions))" }

    /// The share of runs in which an attempt failed: `12.2 %`; `–` without a run.
    public var share: String { Figures.percent(CoverageTally(covered: failures, total: executions)) }

    /// Within which shares the true one lies, at 95 %: `7.1–20.2 %`, rounded outwards.
    public var interval: String {
        let (lower, upper) = ((bounds.lowerBound * 1000).rounded(.down), (bounds.upperBound * 1000).rounded(.up))
        return "\(Self.tenths(Int(lower)))–\(Self.tenths(Int(upper))) %"
    }

    /// `12 of 98 runs, 12.2 % (95 %: 7.1–20.2 %)`.
    public var words: String {
        executions == 0
            ? "no run"
            : "\(Figures.grouped(failures)) of \(Figures.counted(executions, "run")), \(share) (95 %: \(interval))"
    }

    private static func tenths(_ number: Int) -> String { "\(number / 10).\(number % 10)" }
}

extension FlakyWindow {
    /// `87 runs of exact trees`.
    public var words: String { runs == 1 ? "1 run of an exact tree" : "\(Figures.grouped(runs)) runs of exact trees" }

    /// What a retry hid; `nil` where it hid nothing.
    public var hiddenWords: String? {
        hidden == 0
            ? nil : "In \(Figures.grouped(hidden)) of \(Figures.counted(green, "green run")) a retry hid a flaky test."
    }
}

extension FlakeHistory {
    /// What the test is, with its rate: a sentence.
    public var headline: String {
        let rate = test.rate
        guard let breakage = test.breakage else {
            let word = kind == nil ? "Not flaky, as far as these runs tell" : "Flaky"
            return "\(word): an attempt failed in \(rate.words)."
        }
        let before = rate.executions == 0 ? "" : " Before, an attempt failed in \(rate.words)."
        return
            "Broken, not flaky: it failed in the last \(Figures.counted(breakage.failures, "run")) of the default branch, "
            + "since run \(breakage.since.short).\(before)"
    }

    /// The hours in which runs began that failed it, in UTC: `03:00 (2 of 10), 14:00 (1 of 4)`; `nil` without one.
    public var failingHours: String? {
        let found = hours.enumerated().filter { $0.element.failures > 0 }.map { hour, rate in
            "\(hour < 10 ? "0" : "")\(hour):00 (\(rate.tally))"
        }
        return found.isEmpty ? nil : found.joined(separator: ", ")
    }

    /// What was looked at: `120 runs of exact trees since 2026-06-05`.
    public var window: String {
        "\(FlakyWindow(runs: runs).words) since \(CalendarDay(since))"
    }

    /// Whether it fails alone or among others; `nil` where it never ran alone, and nothing says that it depends on the order.
    public var company: String? {
        guard alone.executions > 0 || isOrderDependent else { return nil }
        let rates = "alone \(alone.tally), among others \(inCompany.tally)"
        return isOrderDependent
            ? "\(rates); the latest full run found that it fails when one test runs at a time" : rates
    }
}

extension FlakeHistory.Point {
    /// The commit, or the run where that is unknown: `9f3c2ab1`, `run 000000000002`.
    public var name: String { commit.map { String($0.prefix(8)) } ?? "run \(run.short)" }

    /// `9f3c2ab1, run 000000000002, 2026-01-02`.
    public var words: String {
        [commit.map { String($0.prefix(8)) }, "run \(run.short)", "\(CalendarDay(startedAt))"].compactMap { $0 }
            .joined(separator: ", ")
    }
}

extension FlakeHistory.Failure {
    /// What the first of them said; untrusted text.
    public var said: String { message ?? "nothing was said" }
}

extension QuarantineEntry {
    /// `ends on 2026-12-01`, `ended on 2026-12-01`.
    public func ending(on today: CalendarDay) -> String { "\(expires < today ? "ended" : "ends") on \(expires)" }
}

extension QuarantineProposal {
    /// `in quarantine until 2026-12-13 for @core: failed in 12 of 98 runs since 2026-06-05`; untrusted text.
    public var words: String {
        QuarantineEntry(test: test, owner: owner ?? "somebody", reason: reason, expires: expires).words
    }

    /// What writes the entry, for a shell in a clone; untrusted text.
    public var command: String {
        let name = owner.map { ShellWord.quoted($0) } ?? "WHO"
        return "kanmon quarantine --owner=\(name) --until=\(expires) --reason=\(ShellWord.quoted(reason)) "
            + "-- \(ShellWord.quoted(test))"
    }

    /// What is said before the command.
    public var advice: String {
        owner == nil
            ? "Nothing was written. Nobody is known to own the test: say WHO repairs it, in a clone:"
            : "Nothing was written. To write the entry, in a clone:"
    }
}
