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

        init(_ status: QuarantineStatus) {
            test = status.entry.test
            owner = status.entry.owner
            reason = status.entry.reason
            expires = status.entry.expires.description
            outcome = status.outcome?.rawValue
            fault = status.fault?.code
        }
    }
}
