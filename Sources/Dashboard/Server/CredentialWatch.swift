import Access
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Watches the credentials of one connection: when that of a request ends or changes while the request still arrives or its answer
/// is still on its way, the connection is cut.
///
/// A page that follows a run, a download and a delivery may take minutes. A token that is revoked, has expired or was limited ends
/// them as it ends everything else, and so does a session that was closed.
final class CredentialWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Finds the valid token that a request names now, in a header or by a session; `nil` if there is none.
    typealias Holder = @Sendable (HTTPFields) -> AccessToken?

    /// How often it is looked.
    private static let interval = TimeAmount.milliseconds(250)

    /// A request that holds a token.
    private struct Admission {
        /// The one that gave the token: a request may have many more, which nobody is to look up four times a second.
        let fields: HTTPFields
        let token: AccessToken
    }

    private let holder: Holder
    /// The requests that are not answered yet, with pipelining several; `nil` for one without a token.
    private var unanswered: [Admission?] = []
    private var round: RepeatedTask?

    init(_ holder: @escaping Holder) { self.holder = holder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            unanswered.append(admission(of: head.headerFields))
            begin(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), !unanswered.isEmpty else {
            return context.write(data, promise: promise)
        }
        // What was written may still wait for a client that reads slowly.
        let done = promise ?? context.eventLoop.makePromise()
        let watch = NIOLoopBound(self, eventLoop: context.eventLoop)
        done.futureResult.whenComplete { _ in watch.value.answered() }
        context.write(data, promise: done)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func admission(of fields: HTTPFields) -> Admission? {
        guard let token = holder(fields) else { return nil }
        var own = HTTPFields()
        own[values: .authorization] = fields[values: .authorization]
        if holder(own) != token {
            own = HTTPFields()
            for id in SessionCookie.ids(in: fields) {
                own[.cookie] = SessionCookie.field(naming: [id])
                if holder(own) == token { break }
            }
        }
        return Admission(fields: own, token: token)
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard round == nil, unanswered.contains(where: { $0 != nil }) else { return }
        let watch = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        round = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
            watch.value.0.look(watch.value.1)
        }
    }

    private func answered() {
        if !unanswered.isEmpty { unanswered.removeFirst() }
        if !unanswered.contains(where: { $0 != nil }) { end() }
    }

    private func end() {
        round?.cancel()
        round = nil
    }

    private func look(_ context: ChannelHandlerContext) {
        let isOver = unanswered.contains { admission in
            admission.map { holder($0.fields) != $0.token } ?? false
        }
        if isOver { context.cut() }
    }
}
