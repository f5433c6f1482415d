import Access
import Evidence
import Foundation
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// Answers a machine that asks whether a tree has a verdict.
    ///
    /// A project that the token is not for, and a tree that nobody knows, have the same answer.
    func verdictAnswer(
        _ head: HTTPRequest, _ context: DashboardContext, _ call: inout DeliveryCall
    ) async throws -> Answer {
        let token = try caller(head, context, &call)
        let query = (head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard query.count == 2, let fields = FormFields(query[1].utf8),
            let question = VerdictQuestion(fields), question.isWellFormed
        else {
            throw CallError(
                .badRequest, "it needs project, tree, folder, nonce and perhaps inputs, each once",
                hint: "see /openapi.json")
        }
        guard let key, let control else { return .json(VerdictReply(nil), .ok) }
        let search = VerdictSearch(
            store: store, links: links, now: now(), isDistrusted: { try control.isDistrusted($0) })
        do {
            return try await RunStore.reading(until: context.isGone) {
                try await questions.make(for: token.name) {
                    guard let statement = try search.statement(on: question, for: token) else {
                        return .json(VerdictReply(nil), .ok)
                    }
                    return .json(VerdictReply(try key.sign(try Self.text(of: statement))), .ok)
                }
            }
        } catch let error as StorageError where error.isGivenUp {
            throw CallError(.badRequest, "the request broke off")
        }
    }

    /// The bytes that are signed, and that travel.
    private static func text(of statement: VerdictStatement) throws -> String {
        return String(decoding: try JSONEncoder.steady.encode(statement), as: UTF8.self)
    }
}

extension VerdictQuestion {
    /// The question in the fields of a query; `nil` if one is missing.
    fileprivate init?(_ fields: FormFields) {
        guard let project = fields["project"], let tree = fields["tree"], let folder = fields["folder"],
            let nonce = fields["nonce"]
        else { return nil }
        self.init(project: project, tree: tree, folder: folder, inputs: fields["inputs"], nonce: nonce)
    }
}
