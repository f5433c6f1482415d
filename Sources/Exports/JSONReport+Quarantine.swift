import Gate
import RunModel

extension JSONReport {
    /// An entry of the quarantine and how its test ended.
    struct QuarantineRow: Hashable, Encodable {
        let test: String
        let owner: String
        let reason: String
        let expires: String
        let outcome: String?
        let fault: String?

        init(_ standing: QuarantineStatus) {
            test = standing.entry.test
            owner = standing.entry.owner
            reason = standing.entry.reason
            expires = standing.entry.expires.description
            outcome = standing.outcome?.rawValue
            fault = standing.fault?.code
        }
    }
}
