import Cryptography
import Foundation

/// What messages to a receiver are signed with, as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64.
///
/// It describes itself without its bytes, so that no log or error has them.
public struct WebhookSecret: Sendable, Hashable, CustomStringConvertible {
    /// How every secret begins, so that scanners of sources find one that was committed.
    public static let prefix = "whsec_"

    /// The secret. It must be in no log, page or error.
    public let text: String
    private let key: [UInt8]

    /// Makes a secret that nobody can guess.
    public init() {
        key = RandomBytes.make(32)
        text = Self.prefix + Data(key).base64EncodedString()
    }

    /// Reads a secret of 24 to 64 bytes; `nil` for any other text.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let key = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            (24...64).contains(key.count)
        else { return nil }
        self.text = text
        self.key = Array(key)
    }

    /// The beginning, without the secret.
    public var description: String { "\(Self.prefix)…" }

    /// The field `webhook-signature` of a message: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.
    ///
    /// - Parameter timestamp: When it is sent, in seconds since 1970.
    public func signature(id: String, timestamp: Int, body: String) -> String {
        "v1," + Data(MessageCode.of("\(id).\(timestamp).\(body)".utf8, key: key)).base64EncodedString()
    }
}

extension WebhookSecret: Codable {
    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let secret = WebhookSecret(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "it is no secret of a webhook")
        }
        self = secret
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
