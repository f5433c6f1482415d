public import RunModel

/// What one exclude takes out of the coverage of a run: a line of the ledger of exclusions.
public struct ExclusionStatus: Sendable, Hashable, Codable {
    /// The exclude.
    public var exclusion: Exclusion
    /// How many source files it matches, those without coverage included.
    public var files: Int
    /// Their executable lines; those that were covered were executed although they do not count.
    public var lines: CoverageTally
    /// The day on which it came into the settings; `nil` where git does not say.
    public var since: CalendarDay?

    /// What is odd about it: it takes out nothing, or code that tests execute.
    public var warning: Warning? {
        files == 0 ? .matchesNothing : lines.covered > 0 ? .isExecuted : nil
    }

    /// What can be odd about an exclude.
    public enum Warning: String, Sendable, Hashable, Codable, CaseIterable {
        case matchesNothing = "matches-nothing"
        case isExecuted = "is-executed"
    }
}

/// When an exclude came into the settings.
public struct ExclusionAge: Sendable, Hashable, Codable {
    /// The pattern.
    public var pattern: String
    /// The day, in UTC.
    public var since: CalendarDay

    package init(pattern: String, since: CalendarDay) { (self.pattern, self.since) = (pattern, since) }
}

extension TestRun {
    /// What every exclude of a policy takes out of this run, in the order of the policy.
    ///
    /// - Parameter ages: When excludes came into the settings, as far as that is known.
    public func exclusions(under policy: Policy, ages: [ExclusionAge] = []) -> [ExclusionStatus] {
        policy.exclusions(in: self.modules, coverage, ages: ages)
    }
}

extension Policy {
    /// What every exclude takes out of a run, in the order of the policy.
    ///
    /// - Parameters:
    ///   - targets: The targets of its package.
    ///   - coverage: What it covered; `nil` without coverage.
    ///   - ages: When excludes came into the settings, as far as that is known.
    public func exclusions(
        in targets: [Module], _ coverage: Coverage?, ages: [ExclusionAge] = []
    ) -> [ExclusionStatus] {
        var seen: Set<Name> = []
        let paths = (targets.flatMap(\.sourcePaths) + (coverage?.files.map(\.path) ?? []))
            .filter { seen.insert(Name($0)).inserted }
        guard !excludes.isEmpty else { return [] }
        let patterns = PatternSet(excludes.map(\.pattern))
        let days = Dictionary(ages.map { (Name($0.pattern), $0.since) }) { first, _ in first }
        var statuses = excludes.map {
            ExclusionStatus(exclusion: $0, files: 0, lines: CoverageTally(), since: days[Name($0.pattern)])
        }
        for path in paths {
            for index in patterns.all(for: path) { statuses[index].files += 1 }
        }
        for file in coverage?.files ?? [] {
            let matching = patterns.all(for: file.path)
            guard !matching.isEmpty else { continue }
            let tally = file.lineTally
            for index in matching { statuses[index].lines = statuses[index].lines + tally }
        }
        for (index, original) in patterns.originals.enumerated() where original != index {
            (statuses[index].files, statuses[index].lines) = (statuses[original].files, statuses[original].lines)
        }
        return statuses
    }
}
