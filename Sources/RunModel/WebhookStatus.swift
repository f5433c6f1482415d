/// The state of a receiver of webhooks, for readers who may see everything on a server. It holds neither its secret nor its whole
/// address.
public struct WebhookStatus: Sendable, Hashable {
    /// The id of the webhook: 12 hexadecimal digits.
    public var id: String
    /// The host that it is sent to.
    public var host: String
    /// Messages that wait to be sent, for the first time or again.
    public var waiting: Int
    /// Messages that were given up.
    public var deadLetters: Int
    /// Whether the receiver has answered 410, so that nothing is sent any more.
    public var isDisabled: Bool

    package init(id: String, host: String, waiting: Int, deadLetters: Int, isDisabled: Bool) {
        self.id = id
        self.host = host
        self.waiting = waiting
        self.deadLetters = deadLetters
        self.isDisabled = isDisabled
    }
}
