import Access
import Evidence
package import Foundation
package import Gate
import RunModel
import Storage

/// Withdraws the trust in a token and in everything that it delivered: in the list of tokens, in the run directories, from
/// which a rebuild takes it, and in the store.
///
/// Doing it again changes nothing, and ends what a killed process has begun.
package struct Distrust: Sendable {
    let home: Home

    package init(home: Home) { self.home = home }

    /// Withdraws it.
    ///
    /// - Returns: The runs that were delivered with the token, the newest first: no answer rests on them any more.
    package func withdraw(_ token: String, at moment: Date) throws -> [RunSummary] {
        // First of all, so that from here on nobody delivers with it, and no answer rests on what is delivered already.
        let tokens = TokenFile(path: home.tokens)
        try tokens.revoke(token, at: moment, isDistrusted: true)
        // What it delivered before it was renamed is named otherwise.
        let names = try tokens.tokens().first { $0.name == token }.map { [$0.name] + ($0.formerNames ?? []) } ?? [token]
        return try names.flatMap { try apply($0, at: moment) }.sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }
    }

    /// Withdraws it from what a token has just delivered, if it is distrusted.
    package func review(_ token: String) throws {
        let found = try TokenFile(path: home.tokens).tokens().first { $0.isCalled(token) }
        guard let moment = found?.distrusted else { return }
        _ = try apply(token, at: moment)
    }

    private func apply(_ token: String, at moment: Date) throws -> [RunSummary] {
        for directory in try RunArchive(home: home).directories() {
            guard var record = try directory.delivery(), Name(record.token) == Name(token), record.distrustedAt == nil
            else { continue }
            record.distrust(at: moment)
            try directory.replaceDelivery(by: record)
        }
        guard home.hasStore else { return [] }
        return try RunStore(path: home.database).distrust(token: token, at: moment)
    }
}
