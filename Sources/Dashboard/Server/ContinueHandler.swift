import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells a client that waits for it (`Expect: 100-continue`) to send its body, as curl does with larger ones.
///
/// Every body is read or its connection closed, so there is nothing to decide before it comes.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let expect = HTTPField.Name("Expect")

    /// With pipelining there can be several.
    private var unanswered = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            // Within the answer to an earlier request it would be a part of that.
            if unanswered == 0, let name = Self.expect, head.headerFields[name]?.lowercased() == "100-continue" {
                let part = HTTPResponsePart.head(HTTPResponse(status: .continue))
                context.writeAndFlush(wrapOutboundOut(part), promise: nil)
            }
            unanswered += 1
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }
}
