import Foundation
import NIOHTTP1
public import RunModel

extension DeliveryClient {
    /// The largest answer with a verdict that is read, in bytes.
    private static let largestVerdict = 64 << 10

    /// Asks whether a tree has a verdict; `nil` if the server knows none.
    ///
    /// The caller has to verify the answer; nothing in it is trusted here.
    ///
    /// - Throws: `DeliveryError`.
    public func verdict(
        on question: VerdictQuestion, until deadline: ContinuousClock.Instant
    ) async throws(DeliveryError) -> SignedStatement? {
        let fields: [(String, String?)] = [
            ("project", question.project), ("tree", question.tree), ("folder", question.folder),
            ("inputs", question.inputs), ("nonce", question.nonce),
        ]
        let query = fields.compactMap { name, value in
            value.map { "\(name)=\(PercentEncoding.encode($0, keepsSlashes: false))" }
        }
        return try await ask(
            "\(DeliveryRoute.verdict.path)?\(query.joined(separator: "&"))", .GET, body: nil, type: nil,
            until: deadline,
            limit: Self.largestVerdict, VerdictReply.self
        ).verdict
    }
}
