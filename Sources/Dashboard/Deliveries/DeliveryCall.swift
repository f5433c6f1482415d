import Access
import HTTPTypes
import RunModel

/// A call of a machine, with what is known of it so far.
struct DeliveryCall: Sendable {
    /// What the machine says of itself.
    let claim: MachineClaim
    /// What is called; `nil` for an address that does not exist.
    let route: DeliveryRoute?
    /// Whose call it is; `nil` until a valid token was found.
    var token: AccessToken?
    /// The project that it is about; `nil` until that was read, or if it names none.
    var project: String?
    /// Whether the server has the run now.
    var isDelivered = false

    init(_ route: DeliveryRoute?, _ fields: HTTPFields) {
        self.route = route
        claim = MachineClaim(fields)
    }

    /// Whether it tells of the progress of a run.
    var isOfProgress: Bool { if case .progress = route { true } else { false } }

    /// How many runs wait on the machine behind this call; `nil` if it does not say so.
    var waiting: Int? {
        guard case .run = route, !isDelivered else { return claim.waiting }
        return claim.waiting.map { $0 + 1 }
    }
}
