/// How a receiver of webhooks stands, as those see it who see everything on a server. Neither its secret nor its whole address is in it.
public struct WebhookStanding: Sendable, Hashable {
    /// What the webhook is called by: 12 hexadecimal digits.
    public var id: String
    /// The host that it is sent to.
    public var host: String
    /// Messages that wait to be sent, for the first time or again.
    public var waiting: Int
    /// Messages that were given up.
    public var deadLetters: Int
    /// Whether the receiver has answered 410, so that nothing is sent any more.
    public var isDisabled: Bool

    /// Makes a standing from its parts.
    public init(id: String, host: String, waiting: Int, deadLetters: Int, isDisabled: Bool) {
        self.id = id
        self.host = host
        self.waiting = waiting
        self.deadLetters = deadLetters
        self.isDisabled = isDisabled
    }
}
