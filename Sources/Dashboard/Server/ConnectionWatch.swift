import HTTPTypes
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

    /// Whose request it is, as far as connections are shared; 0 for everybody without a valid credential, so that nobody is many by making
    /// some up.
    typealias Holder = @Sendable (HTTPFields) -> Int

    /// The bytes of a body that must arrive in a second on average, beyond what the time limit allows.
    private static let leastRate: Int64 = 32 << 10
    /// The bytes of an answer that the client must read in a second on average, beyond what the time limit allows.
    private static let leastReading: Int64 = 8 << 10

    /// How many requests a client may send before the first of them is answered. Browsers send one, programs seldom more; all that
    /// have arrived are answered one behind the other, and for so long nobody else is.
    private static let mostUnanswered = 4

    /// How long a page may still take when its client has closed its side of the connection. A client that has left
    /// does so, and so does one that has sent all that it wants to ask and reads on, such as `nc` in a script.
    private static let patience = TimeAmount.seconds(1)

    private let registry: ConnectionRegistry
    private let timeout: TimeAmount
    private let holder: Holder
    private let now: @Sendable () -> NIODeadline
    private var connection: ConnectionRegistry.Connection?
    private var phase = ConnectionRegistry.Connection.Phase.idle
    private var isReceiving = false
    /// Whether the requests that are not answered yet are only for pages and data.
    private var onlyReads = true
    /// Whether an answer has begun.
    private var isSending = false
    /// With pipelining there can be several.
    private var unanswered = 0
    /// The time of the last progress.
    private var since: NIODeadline
    /// Bytes of bodies that were handed to the connection.
    private var sent = 0
    /// How many of them the client had read at the last look.
    private var taken = 0
    private var round: RepeatedTask?
    /// Takes the client for gone, if it has ended its side.
    private var parting: Scheduled<Void>?

    init(
        _ registry: ConnectionRegistry, timeout: TimeAmount, holder: @escaping Holder = { _ in 0 },
        now: @escaping @Sendable () -> NIODeadline = { .now() }
    ) {
        self.registry = registry
        self.timeout = timeout
        self.holder = holder
        self.now = now
        since = now()
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
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard unanswered < Self.mostUnanswered else { return context.cut() }
            isReceiving = true
            let reads = head.method == .get || head.method == .head
            onlyReads = reads && (unanswered == 0 || onlyReads)
            unanswered += 1
            connection?.belongs(to: holder(head.headerFields))
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
            isSending = false
            update()
        case .head(let head):
            // One that tells the client to go on with its request is none yet.
            guard head.status.kind != .informational else { break }
            isSending = true
            update()
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed, parting == nil {
            let watch = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            parting = context.eventLoop.scheduleTask(in: Self.patience) {
                watch.value.0.part(watch.value.1)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// A client that has ended its side, as a browser does that leaves, and whose page is still being made is gone: the connection is cut,
    /// so that the work on it is given up. What a machine delivers is taken in and answered all the same.
    private func part(_ context: ChannelHandlerContext) {
        if phase == .answering, onlyReads { context.cut() }
    }

    /// Gives a body that keeps arriving more time, at 32 KiB a second or more; not once it is answered, as then nobody
    /// reads it.
    private func take(_ bytes: Int) {
        guard isReceiving, unanswered > 0 else { return }
        let gained = TimeAmount.nanoseconds(Int64(bytes) * 1_000_000_000 / Self.leastRate)
        since = min(since + gained, now())
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard connection == nil else { return }
        since = now()
        connection = registry.opened(context.channel, at: since)
        let watch = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pause = TimeAmount.nanoseconds(timeout.nanoseconds / 4)
        round = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            watch.value.0.look(watch.value.1)
        }
    }

    private func end() {
        round?.cancel()
        round = nil
        parting?.cancel()
        if let connection { registry.closed(connection) }
    }

    private func update() {
        let phase: ConnectionRegistry.Connection.Phase =
            isSending ? .reading : isReceiving ? .receiving : unanswered > 0 ? .answering : .idle
        guard phase != self.phase else { return }
        self.phase = phase
        since = now()
        connection?.enter(phase, at: since)
    }

    /// Closes the connection if it makes no progress.
    private func look(_ context: ChannelHandlerContext) {
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        // There is progress while an answer is made. One that is read gets more time for what was read of it: so a client that
        // reads a byte now and then holds it no longer than one that reads nothing.
        let taken = max(self.taken, sent - waiting)
        if phase == .answering || phase == .reading, waiting == 0 {
            since = now()
        } else if taken > self.taken {
            let gained = TimeAmount.nanoseconds(Int64(taken - self.taken) * 1_000_000_000 / Self.leastReading)
            since = min(since + gained, now())
        }
        self.taken = taken
        guard now() - since >= timeout else { return }
        // What was not read until now need not be kept for later.
        if waiting > 0 { context.cut() } else { context.close(promise: nil) }
    }
}
