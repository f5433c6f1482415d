import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on this machine that answers as a test says.
final class TestServer: Sendable {
    /// A request as it came in.
    struct Request: Sendable {
        /// The method, such as `GET`.
        var method: String
        /// The path and the query, as they were sent.
        var target: String
        /// The fields, by their names in lower case.
        var fields: [String: String]
        /// The body.
        var body: [UInt8]

        /// The method and the target.
        var line: String { "\(method) \(target)" }
    }

    /// What becomes of a request.
    enum Reply: Sendable {
        /// An answer.
        case answer(_ status: Int, _ fields: [String: String] = [:], _ body: [UInt8] = [])
        /// The beginning of an answer, and the end of the connection.
        case begun(_ status: Int, _ fields: [String: String] = [:], _ body: [UInt8], bytes: Int)
        /// The end of the connection.
        case cut
        /// Nothing.
        case silence

        /// A text as an answer.
        static func text(_ status: Int, _ text: String, _ fields: [String: String] = [:]) -> Reply {
            .answer(status, fields, Array(text.utf8))
        }
    }

    private let channel: any Channel

    /// Starts a server on a free port.
    init(_ respond: @escaping @Sendable (Request) -> Reply) async throws {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        channel = try await bootstrap.childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                try channel.pipeline.syncOperations.addHandler(Handler(respond))
            }
        }.bind(host: "127.0.0.1", port: 0).get()
    }

    /// Ends the server.
    func stop() async throws { try await channel.close() }

    /// The address.
    var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
}

/// Reads whole requests of one connection, and answers them.
private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let respond: @Sendable (TestServer.Request) -> TestServer.Reply
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ respond: @escaping @Sendable (TestServer.Request) -> TestServer.Reply) { self.respond = respond }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let buffer): body += Array(buffer.readableBytesView)
        case .end: answer(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ context: ChannelHandlerContext) {
        guard let head else { return context.close(promise: nil) }
        let fields = head.headers.map { ($0.name.lowercased(), $0.value) }
        let request = TestServer.Request(
            method: head.method.rawValue, target: head.uri, fields: Dictionary(fields) { "\($0),\($1)" }, body: body)
        switch respond(request) {
        case .silence: return
        case .cut: context.close(promise: nil)
        case .answer(let status, let fields, let body):
            send(status, fields, length: body.count, context)
            if request.method != "HEAD" { context.write(part(body), promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .begun(let status, let fields, let body, let bytes):
            send(status, fields, length: body.count, context)
            let channel = context.channel
            // What is under way when a connection is closed is lost.
            let isSent = context.eventLoop.makePromise(of: Void.self)
            isSent.futureResult.whenComplete { _ in channel.close(promise: nil) }
            context.writeAndFlush(part(Array(body.prefix(bytes))), promise: isSent)
        }
    }

    private func part(_ bytes: [UInt8]) -> NIOAny { wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }

    private func send(_ status: Int, _ fields: [String: String], length: Int, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(Array(fields))
        headers.add(name: "Content-Length", value: "\(length)")
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }
}
