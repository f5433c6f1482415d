import NIOCore
import NIOHTTPTypes

/// Watches one connection: a request must arrive within a time limit, and the client must read the answer.
///
/// Hummingbird closes only silent connections, not those that send a byte now and then or never read.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The bytes of a body that must arrive in a second on average, beyond what the time limit allows.
    private static let leastRate: Int64 = 32 << 10
    /// The bytes of an answer that the client must read in a second on average, beyond what the time limit allows.
    private static let leastReading: Int64 = 8 << 10

    private let registry: ConnectionRegistry
    private let timeout: TimeAmount
    private var connection: ConnectionRegistry.Connection?
    private var phase = ConnectionRegistry.Connection.Phase.idle
    private var isReceiving = false
    /// With pipelining there can be several.
    private var unanswered = 0
    /// The time of the last progress.
    private var since = NIODeadline.now()
    /// Bytes of bodies that were handed to the connection.
    private var sent = 0
    /// How many of them the client had read at the last look.
    private var taken = 0
    private var round: RepeatedTask?

    init(_ registry: ConnectionRegistry, timeout: TimeAmount) {
        self.registry = registry
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        begin(context)
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReceiving = true
            unanswered += 1
            update()
        case .body(let bytes): take(bytes.readableBytes)
        case .end:
            isReceiving = false
            update()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .body(let bytes): sent += bytes.readableBytes
        case .end:
            unanswered -= 1
            update()
        case .head: break
        }
        context.write(data, promise: promise)
    }

    /// Gives a body that keeps arriving more time, at 32 KiB a second or more; not once it is answered, as then nobody
    /// reads it.
    private func take(_ bytes: Int) {
        guard isReceiving, unanswered > 0 else { return }
        let gained = TimeAmount.nanoseconds(Int64(bytes) * 1_000_000_000 / Self.leastRate)
        since = min(since + gained, .now())
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard connection == nil else { return }
        since = .now()
        connection = registry.opened(context.channel, at: since)
        let watch = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pause = TimeAmount.nanoseconds(timeout.nanoseconds / 4)
        round = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            watch.value.0.look(watch.value.1)
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        round?.cancel()
        round = nil
        if let connection { registry.closed(connection) }
    }

    private func update() {
        let phase: ConnectionRegistry.Connection.Phase = isReceiving ? .receiving : unanswered > 0 ? .answering : .idle
        guard phase != self.phase else { return }
        self.phase = phase
        since = .now()
        connection?.enter(phase, at: since)
    }

    /// Closes the connection if it makes no progress.
    private func look(_ context: ChannelHandlerContext) {
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        // There is progress while an answer is made. One that is read gets more time for what was read of it: so a client that
        // reads a byte now and then holds it no longer than one that reads nothing.
        let taken = max(self.taken, sent - waiting)
        if phase == .answering, waiting == 0 {
            since = .now()
        } else if taken > self.taken {
            let gained = TimeAmount.nanoseconds(Int64(taken - self.taken) * 1_000_000_000 / Self.leastReading)
            since = min(since + gained, .now())
        }
        self.taken = taken
        if NIODeadline.now() - since >= timeout { context.close(promise: nil) }
    }
}
