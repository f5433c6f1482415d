/// Why tokens could not be read or changed.
public enum AccessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not one of tokens, or of a newer version.
    case damaged(path: String, reason: String)
    /// The file holds no key, or other users can read it.
    case badKey(path: String, reason: String)
    /// The system refused to read or write.
    case inaccessible(path: String, reason: String)
    /// There is a token of this name.
    case nameTaken(String)
    /// There is no token of this name.
    case unknownName(String)
    /// The token was revoked, so that nothing about it changes any more.
    case notValid(String)
    /// There is no webhook of this id.
    case unknownWebhook(String)
    /// There are as many webhooks as there may be.
    case tooManyWebhooks
    /// A file of a webhook cannot be decoded, or is of a newer version.
    case damagedWebhook(path: String)

    /// A fragment that fits "kanmon: failed to …".
    public var description: String {
        switch self {
        case .damaged(let path, let reason): "read the tokens in \(path): \(reason)"
        case .badKey(let path, let reason): "use the server's key in \(path): \(reason)"
        case .inaccessible(let path, let reason): "use \(path): \(reason)"
        case .nameTaken(let name):
            "give a token that name: there is one named '\(name)', and names are never used twice"
        case .unknownName(let name): "find a token named '\(name)'"
        case .notValid(let name): "change the token '\(name)': it was revoked"
        case .unknownWebhook(let id): "find a webhook '\(id)'"
        case .tooManyWebhooks: "add a webhook: there may be \(Webhook.most)"
        case .damagedWebhook(let path): "read \(path): it is no file of a webhook"
        }
    }

    /// What to try.
    public var hint: String? {
        switch self {
        case .damaged: "restore the file from a backup, or remove it and create all tokens again"
        case .badKey: "restore the file from a backup, or remove it: then every machine has to log in again"
        case .inaccessible: nil
        case .nameTaken: "choose another name"
        case .unknownName: "kanmon token list"
        case .notValid: "kanmon token create makes another one"
        case .unknownWebhook: "kanmon webhook list"
        case .tooManyWebhooks: "kanmon webhook remove"
        case .damagedWebhook: "restore the file from a backup, or remove its folder and add the webhook again"
        }
    }
}
