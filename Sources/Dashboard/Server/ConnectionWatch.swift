import NIOCore
import NIOHTTPTypes

/// Watches one connection: a request has to arrive within a time, however slowly its bytes drip in, and an answer has to be
/// taken.
///
/// Hummingbird closes a connection that is silent; one that sends a byte now and then, or never reads, is left to this.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let registry: ConnectionRegistry
    private let patience: TimeAmount
    private var connection: ConnectionRegistry.Connection?
    private var phase = ConnectionRegistry.Connection.Phase.idle
    private var isReceiving = false
    /// Requests may come before those before them are answered.
    private var unanswered = 0
    /// Since when nothing has got on.
    private var since = NIODeadline.now()
    /// Bytes of the answer that the other side has not taken.
    private var waiting = 0
    private var round: RepeatedTask?

    init(_ registry: ConnectionRegistry, patience: TimeAmount) {
        self.registry = registry
        self.patience = patience
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
        case .body: break
        case .end:
            isReceiving = false
            update()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            update()
        }
        context.write(data, promise: promise)
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard connection == nil else { return }
        since = .now()
        connection = registry.opened(context.channel, at: since)
        let watch = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pause = TimeAmount.nanoseconds(patience.nanoseconds / 4)
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

    /// Closes the connection when it does not get on.
    private func look(_ context: ChannelHandlerContext) {
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        // An answer that is being made, or a part of which was taken since the last time, gets on.
        if waiting != self.waiting || (phase == .answering && waiting == 0) { since = .now() }
        self.waiting = waiting
        if NIODeadline.now() - since >= patience { context.close(promise: nil) }
    }
}
