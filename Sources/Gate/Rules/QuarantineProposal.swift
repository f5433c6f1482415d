public import RunModel

/// An entry of the quarantine that a flaky test could have. It is printed, and written by nobody but a person.
public struct QuarantineProposal: Sendable, Hashable {
    /// How many days a proposed entry would last.
    public static let days = 14

    /// The test, as every report names it.
    public let test: String
    /// Who repairs it; `nil` if nobody is known to own it. Untrusted text.
    public let owner: String?
    /// Why.
    public let reason: String
    /// The last day.
    public let expires: CalendarDay

    /// Proposes an entry; `nil` for a test that is not flaky, that is broken, or that has an entry.
    ///
    /// - Parameters:
    ///   - owners: Who owns the test, as far as that is known.
    ///   - quarantine: The quarantine of the project.
    public init?(_ history: FlakeHistory, owners: [String], quarantine: [QuarantineStatus], today: CalendarDay) {
        let id = history.test.id
        guard history.kind == .flaky, !quarantine.contains(where: { $0.entry.names(id) }) else { return nil }
        let rate = history.test.rate
        test = id.description
        owner = owners.first
        reason =
            "failed in \(Figures.grouped(rate.failures)) of \(Figures.grouped(rate.executions)) runs since "
            + "\(CalendarDay(history.since))"
        expires = today.adding(days: Self.days)
    }
}
