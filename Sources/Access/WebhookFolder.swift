import Evidence
public import Foundation
public import RunModel

/// The webhooks of a server and their messages: a folder for each, of small files that are written as a whole.
///
/// `hook.json` is the webhook with its secret, `cursors.json` what was sent last, `waiting` and `dead` have a file for each message.
public struct WebhookFolder: Sendable {
    /// How many messages of a webhook are kept, waiting ones and dead letters each; for one more, the oldest goes.
    public static let mostMessages = 1000
    /// The largest file that is read, in bytes.
    private static let largest = 4 << 20

    /// Where a message is.
    public enum Queue: String, Sendable, Hashable, CaseIterable {
        /// It is sent when it is due.
        case waiting
        /// It was given up.
        case dead
    }

    /// The path of the folder; it need not exist.
    public let path: String

    /// Names a folder; nothing is read yet.
    public init(path: String) { self.path = path }

    /// All webhooks, the oldest first.
    public func hooks() throws(AccessError) -> [Webhook] {
        var hooks: [Webhook] = []
        for id in try names(in: path) {
            // One that is being made or removed has no file.
            if let hook = try read(Webhook.self, "\(path)/\(id)/hook.json"), hook.id == id { hooks.append(hook) }
        }
        return hooks.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    /// The webhook of an id.
    public func hook(_ id: String) throws(AccessError) -> Webhook {
        guard let hook = try hooks().first(where: { $0.id == id }) else { throw .unknownWebhook(id) }
        return hook
    }

    /// Adds a webhook; on disk when it returns.
    public func add(_ hook: Webhook) throws(AccessError) {
        guard try hooks().count < Webhook.most else { throw .tooManyWebhooks }
        for folder in [path, "\(path)/\(hook.id)"] + Queue.allCases.map({ "\(path)/\(hook.id)/\($0.rawValue)" }) {
            guard !FileManager.default.fileExists(atPath: folder) else { continue }
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            } catch {
                throw .inaccessible(path: folder, reason: "it cannot be made")
            }
            FileOwner.follow(folderOf: folder)
        }
        try save(hook)
    }

    /// Replaces a webhook that is there.
    public func save(_ hook: Webhook) throws(AccessError) { try write(hook, "\(path)/\(hook.id)/hook.json") }

    /// Removes a webhook with all its messages.
    public func remove(_ id: String) throws(AccessError) {
        let hook = try hook(id)
        do {
            try FileManager.default.removeItem(atPath: "\(path)/\(hook.id)")
        } catch {
            throw .inaccessible(path: "\(path)/\(hook.id)", reason: "it cannot be removed")
        }
    }

    /// What the receiver was last sent about each project.
    public func cursors(of hook: Webhook) throws(AccessError) -> [WebhookCursor] {
        try read([WebhookCursor].self, "\(path)/\(hook.id)/cursors.json") ?? []
    }

    /// Replaces the record of what was sent last; on disk when it returns.
    public func save(_ cursors: [WebhookCursor], of hook: Webhook) throws(AccessError) {
        try write(cursors, "\(path)/\(hook.id)/cursors.json")
    }

    /// The messages of a webhook, the oldest first.
    public func messages(of hook: Webhook, on queue: Queue) throws(AccessError) -> [WebhookMessage] {
        let folder = folder(hook, queue)
        var messages: [WebhookMessage] = []
        for name in try names(in: folder) {
            if let message = try read(WebhookMessage.self, "\(folder)/\(name)") { messages.append(message) }
        }
        return messages.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    /// Adds a message, unless there is one of its id; the oldest goes if there would be more than `mostMessages`.
    public func add(_ message: WebhookMessage, to hook: Webhook, on queue: Queue = .waiting) throws(AccessError) {
        let all = try count(of: hook, on: queue) < Self.mostMessages ? [] : messages(of: hook, on: queue)
        for old in all.dropLast(Self.mostMessages - 1) { remove(old, of: hook, from: queue) }
        let file = file(message, hook, queue)
        guard !FileManager.default.fileExists(atPath: file) else { return }
        try write(message, file)
    }

    /// Saves the state of a waiting message; does nothing if the message was removed meanwhile.
    public func save(_ message: WebhookMessage, of hook: Webhook) throws(AccessError) {
        let file = file(message, hook, .waiting)
        if FileManager.default.fileExists(atPath: file) { try write(message, file) }
    }

    /// Makes a waiting message a dead letter.
    public func bury(_ message: WebhookMessage, of hook: Webhook) throws(AccessError) {
        try add(message, to: hook, on: .dead)
        remove(message, of: hook, from: .waiting)
    }

    /// Lets all dead letters of a webhook wait again, with attempts from the first on.
    ///
    /// - Returns: How many there were.
    public func revive(_ hook: Webhook, at moment: Date) throws(AccessError) -> Int {
        let letters = try messages(of: hook, on: .dead)
        for letter in letters {
            var message = letter
            (message.attempts, message.due) = (0, moment)
            try add(message, to: hook)
            remove(letter, of: hook, from: .dead)
        }
        return letters.count
    }

    /// Removes a message.
    public func remove(_ message: WebhookMessage, of hook: Webhook, from queue: Queue) {
        try? FileManager.default.removeItem(atPath: file(message, hook, queue))
    }

    /// The state of every webhook.
    public func statuses() throws(AccessError) -> [WebhookStatus] {
        var statuses: [WebhookStatus] = []
        for hook in try hooks() {
            statuses.append(
                WebhookStatus(
                    id: hook.id, host: hook.host, waiting: try count(of: hook, on: .waiting),
                    deadLetters: try count(of: hook, on: .dead), isDisabled: hook.disabled != nil))
        }
        return statuses
    }

    private func count(of hook: Webhook, on queue: Queue) throws(AccessError) -> Int {
        try names(in: folder(hook, queue)).count
    }

    private func folder(_ hook: Webhook, _ queue: Queue) -> String { "\(path)/\(hook.id)/\(queue.rawValue)" }

    private func file(_ message: WebhookMessage, _ hook: Webhook, _ queue: Queue) -> String {
        "\(folder(hook, queue))/\(message.id)"
    }

    /// What is in a folder, but for files that are being written.
    private func names(in folder: String) throws(AccessError) -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.contains(".") }
        } catch {
            throw .inaccessible(path: folder, reason: "it cannot be read")
        }
    }

    private func read<Value: Decodable>(_: Value.Type, _ file: String) throws(AccessError) -> Value? {
        do throws(EvidenceError) {
            guard let bytes = try SmallFile.read(file, limit: Self.largest) else { return nil }
            // The error of the decoder may quote the file, which may hold the secret.
            if let value = try? JSONDecoder.steady.decode(Value.self, from: Data(bytes)) { return value }
        } catch {
            throw .inaccessible(path: file, reason: "it cannot be read")
        }
        throw .damagedWebhook(path: file)
    }

    private func write(_ value: some Encodable, _ file: String) throws(AccessError) {
        guard let bytes = try? JSONEncoder.steady.encode(value) else {
            throw .inaccessible(path: file, reason: "it has no text")
        }
        do throws(EvidenceError) {
            try SmallFile.replace(file, with: Array(bytes))
        } catch {
            throw .inaccessible(path: file, reason: "\(error)")
        }
    }
}
