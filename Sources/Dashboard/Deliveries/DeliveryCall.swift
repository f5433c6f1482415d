import Access
import HTTPTypes

/// A call of a machine, with what is known of it so far.
struct DeliveryCall: Sendable {
    /// What is called.
    enum Kind: Sendable, Hashable {
        /// What a token may do.
        case identity
        /// A run is offered.
        case run
        /// A file of a run is sent.
        case blob
        /// A verdict is asked for.
        case verdict
        /// The progress of a run is told.
        case progress
    }

    /// What the machine says of itself.
    let claim: MachineClaim
    var kind = Kind.identity
    /// Whose call it is; `nil` until a valid token was found.
    var token: AccessToken?
    /// The project that it is about; `nil` until that was read, or if it names none.
    var project: String?
    /// Whether the server has the run now.
    var isDelivered = false

    init(_ fields: HTTPFields) { claim = MachineClaim(fields) }

    /// How many runs wait on the machine behind this call; `nil` if it does not say so.
    var waiting: Int? { claim.waiting.map { kind == .run && !isDelivered ? $0 + 1 : $0 } }
}
