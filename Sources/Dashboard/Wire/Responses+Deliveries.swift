import Access
import Foundation
import RunModel

/// What a token may do, for its holder.
struct IdentityResponse: Encodable {
    let token: String
    let scope: String
    let projects: [String]
    let expires: Date?
    /// What the server signs with; `nil` where it signs nothing.
    let key: String?

    init(_ token: AccessToken, key: VerifyingKey?) {
        self.key = key?.description
        self.token = token.name
        scope = token.scope.rawValue
        projects = token.projects.map(\.description)
        expires = token.expires
    }

    enum CodingKeys: CodingKey { case token, scope, projects, expires, key }

    /// `expires` is there in any case: `null` if it never does.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(token, forKey: .token)
        try container.encode(scope, forKey: .scope)
        try container.encode(projects, forKey: .projects)
        try container.encode(expires, forKey: .expires)
        try container.encodeIfPresent(key, forKey: .key)
    }
}

/// A file that the server has.
struct BlobResponse: Encodable {
    let sha256: String
}

/// A machine that delivers runs, or the sum of those that a token has beyond 500.
struct MachineResponse: Codable {
    /// The last call that was refused.
    struct Refusal: Codable {
        let code: String
        let reason: String
        let at: Date
    }

    /// Its name; left out for machines that name none.
    let machine: String?
    let token: String
    /// `ci`, `laptop`, `working-copy`.
    let trust: [String]
    /// How many runs it delivered that began within thirty days.
    let runs: Int
    let lastHeard: Date?
    /// How many runs waited there, as it said last.
    let waiting: Int?
    let version: String?
    /// How often it was refused within thirty days, by reason.
    let refused: [String: Int]
    let lastRefusal: Refusal?
    /// How many more machines of the token this is the sum of; left out for one machine.
    let others: Int?

    init(_ machine: DeliveringMachine) {
        self.machine = machine.host
        token = machine.token
        trust = machine.trust.map(\.rawValue)
        runs = machine.runs
        lastHeard = machine.lastHeard
        waiting = machine.waiting
        version = machine.version
        refused = Dictionary(uniqueKeysWithValues: machine.refusals.map { ($0.key.rawValue, $0.value) })
        lastRefusal = machine.lastRefusal.map { Refusal(code: $0.code.rawValue, reason: $0.reason, at: $0.moment) }
        others = machine.others
    }
}
