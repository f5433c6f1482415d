import NIOCore
import NIOHTTP1
import Synchronization

/// Reads whole requests of one connection, and answers them.
final class FaultHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let box: ServerBox
    /// The server to which this connection leads.
    private var member: Int?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ box: ServerBox) { self.box = box }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let buffer): body += Array(buffer.readableBytesView)
        case .end: answer(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ context: ChannelHandlerContext) {
        guard let head, let server = box.server.withLock({ $0 }) else { return context.close(promise: nil) }
        let member = member ?? server.nextMember()
        self.member = member
        let request = FaultServer.Request(
            line: "\(head.method.rawValue) \(head.uri)", authorization: head.headers.first(name: "authorization"),
            size: body.count,
            claim: ["user-agent", "kanmon-machine", "kanmon-waiting"].map { head.headers.first(name: $0) ?? "" },
            message: head.headers.first(name: "webhook-id").map { id in
                [id] + ["webhook-timestamp", "webhook-signature"].map { head.headers.first(name: $0) ?? "" }
                    + [String(decoding: body, as: UTF8.self)]
            })
        switch server.take(request) {
        case .cut: context.close(promise: nil)
        case .silent: return
        case .status(let code, let fields, let text): send(code, fields, text, context)
        case .late(let milliseconds):
            // What was asked for is done at once; only its answer is late.
            let (status, text) = server.answer(request, body, keeps: true, member: member)
            let loop = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
                loop.value.0.send(status, [:], text, loop.value.1)
            }
        case .forget:
            let (status, text) = server.answer(request, body, keeps: false, member: member)
            send(status, [:], text, context)
        case nil:
            let (status, text) = server.answer(request, body, keeps: true, member: member)
            send(status, [:], text, context)
        }
    }

    private func send(_ status: Int, _ fields: [String: String], _ text: String, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(Array(fields))
        headers.add(name: "Content-Type", value: "application/json")
        headers.add(name: "Content-Length", value: "\(text.utf8.count)")
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
