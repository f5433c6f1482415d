package import Access
package import Delivery
import Dispatch
package import Foundation
import RunModel
import Storage
import Synchronization

/// Sends the messages of all webhooks while the server runs. Each receiver has a task of its own, so that a slow one holds up nobody,
/// and all that reads or writes the disk has a thread of its own, so that it holds up no page or delivery.
package final class WebhookSender: Sendable {
    /// How long to wait until the disk is looked at again.
    private static let pause = Duration.seconds(1)

    private let ledger: WebhookLedger
    private let proxies: ProxySettings
    private let now: @Sendable () -> Date
    private let thread = DispatchQueue(label: "kanmon.webhooks")
    /// The webhooks that are being sent to.
    private let busy = Mutex<Set<String>>([])

    package init(_ ledger: WebhookLedger, proxies: ProxySettings, now: @escaping @Sendable () -> Date) {
        (self.ledger, self.proxies, self.now) = (ledger, proxies, now)
    }

    /// Watches and sends until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            var seen: (version: StoreVersion, hooks: [String], day: CalendarDay)?
            while !Task.isCancelled {
                do {
                    let last = seen
                    let (hooks, current) = try await onThread { [self] in
                        let hooks = try ledger.folder.hooks().filter { $0.disabled == nil }
                        let version = try ledger.news.store.version()
                        let current = (version: version, hooks: hooks.map(\.id), day: CalendarDay(now()))
                        if last.map({ $0 != current }) ?? true { try ledger.look(at: now()) }
                        return (hooks, current)
                    }
                    seen = current
                    for hook in hooks where busy.withLock({ $0.insert(hook.id).inserted }) {
                        group.addTask { [self] in
                            await send(hook)
                            busy.withLock { _ = $0.remove(hook.id) }
                        }
                    }
                } catch {
                    StandardStreams.tell("kanmon: webhooks are looked at later: \(error)")
                    try? await Task.sleep(for: .seconds(30))
                }
                try? await Task.sleep(for: Self.pause)
            }
            group.cancelAll()
        }
    }

    /// Sends all messages of a webhook that are due, one after the other.
    private func send(_ hook: Webhook) async {
        do {
            let address = try WebhookAddress(hook.url)
            let messages = try await onThread { [self] in try ledger.folder.messages(of: hook, on: .waiting) }
            for message in messages where message.due <= now() {
                guard !Task.isCancelled else { return }
                let answer = await address.send(message, of: hook, proxies: proxies, at: now())
                // One that was cut off by the end of the server did not fail.
                guard !Task.isCancelled || answer.failure == nil else { return }
                let isGone = try await onThread { [self] in try note(answer, of: message, hook) }
                if isGone { return }
            }
        } catch {
            StandardStreams.tell("kanmon: webhook \(hook.id) (\(hook.host)) is sent to later: \(error)")
            try? await Task.sleep(for: .seconds(30))
        }
    }

    /// Writes down what came of an attempt.
    ///
    /// - Returns: Whether the receiver wants no more messages.
    func note(_ answer: WebhookAnswer, of message: WebhookMessage, _ hook: Webhook) throws -> Bool {
        let folder = ledger.folder
        guard let failure = answer.failure else {
            folder.remove(message, of: hook, from: .waiting)
            return false
        }
        var message = message
        message.attempts += 1
        message.lastFailure = failure
        if answer.isGone {
            var hook = hook
            hook.disabled = now()
            try folder.save(hook)
            for waiting in try folder.messages(of: hook, on: .waiting) {
                try folder.bury(waiting.id == message.id ? message : waiting, of: hook)
            }
            StandardStreams.tell("kanmon: webhook \(hook.id) (\(hook.host)) wants no more messages and is disabled")
            return true
        }
        if let pause = RetrySchedule.pause(after: message.attempts, share: .random(in: 0...1)) {
            message.due = now().addingTimeInterval(max(pause, answer.retryAfter ?? .zero) / .seconds(1))
            try folder.save(message, of: hook)
        } else {
            try folder.bury(message, of: hook)
            StandardStreams.tell(
                "kanmon: webhook \(hook.id) (\(hook.host)): \(message.id) is a dead letter: \(failure)")
        }
        return false
    }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            thread.async { continuation.resume(with: Result { try work() }) }
        }
    }
}

extension WebhookAddress {
    /// Sends a message once, signed now.
    package func send(
        _ message: WebhookMessage, of hook: Webhook, proxies: ProxySettings, at moment: Date
    ) async -> WebhookAnswer {
        let timestamp = Int(moment.timeIntervalSince1970)
        return await send(
            message.body,
            fields: [
                ("webhook-id", message.id), ("webhook-timestamp", "\(timestamp)"),
                ("webhook-signature", hook.secret.signature(id: message.id, timestamp: timestamp, body: message.body)),
            ], proxies: proxies)
    }
}
