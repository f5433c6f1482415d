import Gate
public import RunModel
import Storage

/// Where the files of runs are fetched from that are not in their run directories any more.
public struct EvidenceSource: Sendable {
    /// Whether the files of a run are elsewhere; with that they are noted to be needed.
    package let isAway: @Sendable (RunID) -> Bool
    /// Fetches them.
    package let bring: @Sendable (RunID) async throws -> Void

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - isAway: Whether the files of a run are elsewhere. It is called for each page that needs them, and
    ///     takes no time.
    ///   - bring: Fetches them; throws `EvidenceUnavailable`.
    public init(
        isAway: @escaping @Sendable (RunID) -> Bool, bring: @escaping @Sendable (RunID) async throws -> Void
    ) {
        self.isAway = isAway
        self.bring = bring
    }
}

/// Why the files of a run cannot be fetched.
public struct EvidenceUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// In words for a reader, as the end of a sentence. It may have names of files in it.
    public let reason: String

    /// The reason.
    public var description: String { reason }

    /// Makes an error.
    public init(_ reason: String) { self.reason = reason }
}

extension DashboardResponder {
    /// Fetches the files that a page needs and that are elsewhere.
    ///
    /// - Returns: Whether the page is of runs with so many tests that it is made with no other such page beside it.
    func prepare(_ page: any ServedPage, asData: Bool, _ context: DashboardContext) async throws -> Bool {
        let (needed, rights) = (page.evidence(asData: asData), page.rights)
        guard !needed.isEmpty || !rights.runs.isEmpty else { return false }
        // Rights first: whoever may not see a run neither waits for its files nor keeps them here, as if there were none.
        let (away, isLarge) = try await pages.make(for: name(context)) {
            try admit(rights)
            let isLarge = try rights.runs.contains {
                try store.summary(of: $0).map { $0.outcomes.total > Self.mostTestsBesideOthers } ?? false
            }
            return (needed.filter { evidenceSource?.isAway($0) ?? false }, isLarge)
        }
        if let evidenceSource, !away.isEmpty {
            // On threads of its own, and in turns: fetching takes long, and pages that need nothing do not wait for it.
            try await fetches.make(for: name(context)) {
                for id in away { try await evidenceSource.bring(id) }
            }
        }
        return isLarge
    }

    /// The tests of a run whose pages are made beside others.
    private static let mostTestsBesideOthers = 10_000
}
