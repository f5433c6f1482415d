import Access
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import Dashboard

@Suite struct ConnectionTests {
    /// A connection whose time stands still until it is moved.
    private static func connection(_ registry: ConnectionRegistry) async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            // Whoever is known has a token of one letter.
            let holder: ConnectionWatch.Holder = { fields in
                fields[.authorization].map { $0.utf8.count == 8 ? $0.hashValue : 0 } ?? 0
            }
            try channel.pipeline.syncOperations.addHandler(
                ConnectionWatch(registry, timeout: .seconds(30), holder: holder))
        }
        try await channel.connect(to: .init(unixDomainSocketPath: "/tmp/none"))
        return channel
    }

    /// Which of some connections stay open; the registry has others close them, which takes a moment.
    private static func open(_ channels: [NIOAsyncTestingChannel], of count: Int) async throws -> [Bool] {
        for _ in 0..<24_000 where channels.count(where: \.isActive) != count {
            try await Task.sleep(for: .milliseconds(5))
        }
        return channels.map(\.isActive)
    }

    @Test func `one too many closes the one that waits longest`() async throws {
        let registry = ConnectionRegistry(most: 2)
        let first = try await Self.connection(registry)
        let second = try await Self.connection(registry)
        let third = try await Self.connection(registry)
        #expect(try await Self.open([first, second, third], of: 2) == [false, true, true])
        #expect(registry.count == 2)
        for channel in [second, third] { _ = try await channel.finish() }
        #expect(registry.count == 0)
    }

    @Test func `a new connection is not closed for another while its first request may be on its way`() async throws {
        let (registry, begin) = (ConnectionRegistry(most: 4), NIODeadline.now())
        func connect(
            after seconds: Int64
        ) async throws -> (channel: NIOAsyncTestingChannel, connection: ConnectionRegistry.Connection) {
            let channel = NIOAsyncTestingChannel()
            try await channel.connect(to: .init(unixDomainSocketPath: "/tmp/none"))
            return (channel, registry.opened(channel, at: begin + .seconds(seconds)))
        }
        // Requests of nobody known, whose bodies never come.
        var all: [NIOAsyncTestingChannel] = []
        for number: Int64 in 0..<4 {
            let hostile = try await connect(after: 0)
            hostile.connection.enter(.receiving, at: begin + .milliseconds(number))
            hostile.connection.belongs(to: 0)
            all.append(hostile.channel)
        }
        for seconds: Int64 in [1, 2] { all.append(try await connect(after: seconds).channel) }
        #expect(try await Self.open(all, of: 4) == [false, false, true, true, true, true])
        // The first of the two has said nothing for so long that it is idle.
        all.append(try await connect(after: 6).channel)
        #expect(try await Self.open(all, of: 4) == [false, false, true, true, false, true, true])
    }

    @Test func `a client that sends request after request without waiting for an answer is cut`() async throws {
        let head = HTTPRequestPart.head(.init(method: .get, scheme: "http", authority: "localhost", path: "/"))
        let channel = try await Self.connection(ConnectionRegistry(most: 9))
        for number in 1...4 {
            try await channel.writeInbound(head)
            try await channel.writeInbound(HTTPRequestPart.end(nil))
            #expect(channel.isActive, "\(number)")
        }
        _ = try? await channel.writeInbound(head)
        #expect(try await Self.open([channel], of: 0) == [false])
        _ = try? await channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `one that is answered is never closed for another, one that asks only after those that do not`()
        async throws
    {
        let registry = ConnectionRegistry(most: 2)
        let answered = try await Self.connection(registry)
        let asking = try await Self.connection(registry)
        let head = HTTPRequestPart.head(.init(method: .get, scheme: "http", authority: "localhost", path: "/"))
        try await answered.writeInbound(head)
        try await answered.writeInbound(HTTPRequestPart.end(nil))
        try await asking.writeInbound(head)
        let third = try await Self.connection(registry)
        #expect(try await Self.open([answered, asking, third], of: 2) == [true, false, true])
        try await third.writeInbound(head)
        try await third.writeInbound(HTTPRequestPart.end(nil))
        let fourth = try await Self.connection(registry)
        #expect(try await Self.open([answered, third, fourth], of: 2) == [true, true, false])
        try await answered.writeOutbound(HTTPResponsePart.end(nil))
        let fifth = try await Self.connection(registry)
        #expect(try await Self.open([answered, third, fifth], of: 2) == [false, true, true])
    }

    @Test func `a client that leaves while its page is made is gone a second later, and one that delivers is answered`()
        async throws
    {
        func asking(_ method: HTTPRequest.Method, end: Bool = true) async throws -> NIOAsyncTestingChannel {
            let channel = try await Self.connection(ConnectionRegistry(most: 9))
            try await channel.writeInbound(Self.head(method, [:]))
            if end { try await channel.writeInbound(HTTPRequestPart.end(nil)) }
            return channel
        }
        let (page, quick, delivery) = (try await asking(.get), try await asking(.get), try await asking(.put))
        let (arriving, read) = (try await asking(.get, end: false), try await asking(.head))
        try await read.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        // A page behind a delivery waits for that.
        let behind = try await asking(.put)
        try await behind.writeInbound(Self.head(.get, [:]))
        try await behind.writeInbound(HTTPRequestPart.end(nil))
        let idle = try await Self.connection(ConnectionRegistry(most: 9))
        let channels = [page, quick, delivery, arriving, read, behind, idle]
        for channel in channels {
            try await channel.testingEventLoop.executeInContext {
                channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
            await channel.testingEventLoop.advanceTime(by: .milliseconds(999))
        }
        #expect(channels.map(\.isActive) == Array(repeating: true, count: 7))
        // One that has only said that it asks nothing more has its answer by then.
        try await quick.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try await quick.writeOutbound(HTTPResponsePart.end(nil))
        for channel in channels { await channel.testingEventLoop.advanceTime(by: .milliseconds(1)) }
        #expect(try await Self.open(channels, of: 6) == [false, true, true, true, true, true, true])
        for channel in channels { _ = try? await channel.finish(acceptAlreadyClosed: true) }
    }

    /// A request that holds a secret.
    private static func head(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> HTTPRequestPart {
        .head(HTTPRequest(method: method, scheme: "http", authority: "localhost", path: "/", headerFields: fields))
    }

    @Test func `a connection is closed as soon as the token of its request is revoked, expires or is none any more`()
        async throws
    {
        let tokens = try TokenFolder()
        let clock = MovingClock()
        let control = AccessControl(tokens: TokenRegistry(tokens.file), reading: .never)
        let secrets = [
            try tokens.token("revoked", .read),
            try tokens.token("expired", .read, expires: clock.now.addingTimeInterval(60)),
            try tokens.token("stays", .read),
        ]
        var channels: [NIOAsyncTestingChannel] = []
        func connect(_ fields: HTTPFields, answered: Bool = false, reads: Bool = true) async throws {
            let channel = NIOAsyncTestingChannel()
            try await channel.testingEventLoop.executeInContext {
                try channel.pipeline.syncOperations.addHandler(
                    CredentialWatch { control.holder(of: $0, at: clock.now) })
            }
            try await channel.connect(to: .init(unixDomainSocketPath: "/tmp/none"))
            try await channel.writeInbound(Self.head(.get, fields))
            if reads { try await channel.writeInbound(HTTPRequestPart.end(nil)) }
            try await channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            if answered { try await channel.writeOutbound(HTTPResponsePart.end(nil)) }
            channels.append(channel)
        }
        for secret in secrets { try await connect([.authorization: "Bearer \(secret)"]) }
        let token = try #require(try control.token(of: secrets[2], at: clock.now))
        let session = control.sessions.open(token, at: clock.now)
        try await connect([.cookie: "kanmon_session=\(session)"])
        // One that is still receiving, one that is answered already, and one without a token.
        try await connect([.authorization: "Bearer \(secrets[0])"], reads: false)
        try await connect([.authorization: "Bearer \(secrets[0])"], answered: true)
        try await connect([:])
        func open() async throws -> [Bool] {
            for channel in channels {
                if channel.isActive { await channel.testingEventLoop.advanceTime(by: .milliseconds(250)) }
            }
            return channels.map(\.isActive)
        }
        #expect(try await open() == [true, true, true, true, true, true, true])
        try tokens.file.revoke("revoked", at: clock.now)
        #expect(try await open() == [false, true, true, true, false, true, true])
        clock.pass(60)
        #expect(try await open() == [false, false, true, true, false, true, true])
        control.sessions.close(session)
        #expect(try await open() == [false, false, true, false, false, true, true])
    }

    @Test func `of many cookies only that of the session is looked up again`() async throws {
        let token = AccessToken(
            name: "reader", scope: .read, projects: [], created: Date(timeIntervalSince1970: 0), expires: nil,
            sha256: "")
        func id(_ digit: String) -> String { String(repeating: digit, count: 64) }
        let lookedUp = Mutex<[Int]>([])
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(
                CredentialWatch { fields in
                    let ids = SessionCookie.ids(in: fields)
                    lookedUp.withLock { $0.append(ids.count) }
                    return ids.contains(String(repeating: "9", count: 64)) ? token : nil
                })
        }
        try await channel.connect(to: .init(unixDomainSocketPath: "/tmp/none"))
        let cookies = (0...9).map { "kanmon_session=\(id("\($0)"))" }.joined(separator: "; ")
        try await channel.writeInbound(Self.head(.get, [.cookie: cookies]))
        lookedUp.withLock { $0 = [] }
        for _ in 0..<3 { await channel.testingEventLoop.advanceTime(by: .milliseconds(250)) }
        #expect(lookedUp.withLock { $0 } == [1, 1, 1] && channel.isActive)
        _ = try? await channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `a client that waits for it is told to send its body, but not within another answer`() async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(ContinueHandler())
        }
        try await channel.connect(to: .init(unixDomainSocketPath: "/tmp/none"))
        let name = try #require(HTTPField.Name("Expect"))
        func told() async throws -> HTTPResponsePart? { try await channel.readOutbound(as: HTTPResponsePart.self) }
        try await channel.writeInbound(Self.head(.put, [:]))
        #expect(try await told() == nil)
        try await channel.writeInbound(HTTPRequestPart.end(nil))
        try await channel.writeInbound(Self.head(.put, [name: "100-continue"]))
        #expect(try await told() == nil)
        for _ in 0..<2 {
            try await channel.writeOutbound(HTTPResponsePart.end(nil))
            #expect(try await told() == .end(nil))
        }
        try await channel.writeInbound(Self.head(.put, [name: "100-Continue"]))
        #expect(try await told() == .head(HTTPResponse(status: .continue)))
        _ = try await channel.finish()
    }

    @Test func `whoever has most of the connections that are read slowly gives one up, and nobody else`() async throws {
        let registry = ConnectionRegistry(most: 4)
        func reading(_ secret: String) async throws -> NIOAsyncTestingChannel {
            let channel = try await Self.connection(registry)
            try await channel.writeInbound(Self.head(.get, [.authorization: "Bearer \(secret)"]))
            try await channel.writeInbound(HTTPRequestPart.end(nil))
            try await channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            return channel
        }
        // The oldest one of all is the only one of its token.
        let honest = try await reading("a")
        var hostile: [NIOAsyncTestingChannel] = []
        for _ in 0..<3 { hostile.append(try await reading("b")) }
        hostile.append(try await reading("b"))
        #expect(try await Self.open([honest] + hostile, of: 4) == [true, false, true, true, true])
        let newcomer = try await reading("c")
        #expect(try await Self.open([honest] + hostile + [newcomer], of: 4) == [true, false, false, true, true, true])
    }

    @Test func `whoever makes up credentials is one of those that have none`() async throws {
        let registry = ConnectionRegistry(most: 4)
        func sending(_ secret: String) async throws -> NIOAsyncTestingChannel {
            let channel = try await Self.connection(registry)
            try await channel.writeInbound(Self.head(.put, [.authorization: "Bearer \(secret)"]))
            return channel
        }
        var all = [try await sending("a")]
        for secret in ["made up", "another", "a third", "a fourth", "a fifth"] { all.append(try await sending(secret)) }
        #expect(try await Self.open(all, of: 4) == [true, false, false, true, true, true])
    }

    @Test func `sessions are found among many cookies, and so many of them`() {
        func ids(_ cookies: String...) -> [String] {
            var fields = HTTPFields()
            fields[values: .cookie] = cookies
            return SessionCookie.ids(in: fields)
        }
        func id(_ number: Int) -> String { String(repeating: String(number % 10), count: 63) + String(number / 10) }
        let (one, two) = ("kanmon_session=\(id(1))", "kanmon_session=\(id(2))")
        #expect(ids("a=b; \(one);c") == [id(1)])
        #expect(ids("kanmon_session2=\(id(1))", "d;kanmon_session=") == [])
        #expect(ids("\(one); \(one)", "a;  \(two)") == [id(1), id(2)])
        #expect(ids("\(two)=; \(two)0; K\(one)", "") == [])
        #expect(ids((0..<40).map { "kanmon_session=\(id($0))" }.joined(separator: ";")) == (0..<16).map(id))
        #expect(SessionCookie.field(naming: [id(1), id(2)]) == "\(one); \(two)")
        #expect(SessionCookie.field(naming: []) == nil)
    }

    /// Turns answers into bytes, as they wait to be read.
    private final class Encoder: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = ByteBuffer

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .body(let bytes) = unwrapOutboundIn(data) else { return }
            context.write(wrapOutboundOut(bytes), promise: promise)
        }
    }

    /// After how many seconds a connection is cut whose client reads so many bytes of an answer in a second; `nil` if it is not within
    /// three minutes.
    private static func secondsUntilCut(reading rate: Int) async throws -> Int? {
        let channel = NIOAsyncTestingChannel()
        let loop = channel.testingEventLoop
        try await loop.executeInContext {
            try channel.pipeline.syncOperations.addHandlers([
                Encoder(), ConnectionWatch(ConnectionRegistry(most: 9), timeout: .seconds(30), now: { loop.now }),
            ])
        }
        try await channel.connect(to: .init(unixDomainSocketPath: "/tmp/none"))
        try await channel.writeInbound(head(.get, [:]))
        try await channel.writeInbound(HTTPRequestPart.end(nil))
        /// Hands more to the connection, where it waits until it is read.
        func send(_ bytes: Int) async throws {
            try await loop.executeInContext {
                channel.pipeline.write(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: bytes)), promise: nil)
            }
        }
        try await loop.executeInContext {
            channel.pipeline.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        }
        try await send(max(rate, 1))
        for second in 1...180 {
            if rate > 0 {
                try await loop.executeInContext { channel.pipeline.flush() }
                try await send(rate)
            }
            await loop.advanceTime(by: .seconds(1))
            guard channel.isActive else { return second }
        }
        _ = try await channel.finish(acceptAlreadyClosed: true)
        return nil
    }

    @Test func `a client that reads nothing, a byte now and then or too slowly is cut, and one that reads is not`()
        async throws
    {
        #expect(try await Self.secondsUntilCut(reading: 0) == 30)
        #expect(try await Self.secondsUntilCut(reading: 1) == 38)
        #expect(try await Self.secondsUntilCut(reading: 4 << 10) == 60)
        #expect(try await Self.secondsUntilCut(reading: 8 << 10) == nil)
        #expect(try await Self.secondsUntilCut(reading: 1 << 20) == nil)
    }

    @Test(arguments: [(100, 8), (200, 40), (1024, 369), (4096, 1024), (Int.max / 8, 1024)])
    func `there are as many connections as files allow`(files: Int, connections: Int) {
        #expect(DashboardServer.mostConnections(ofFiles: files) == connections)
    }

    @Test func `as many files may be open as the system allows`() {
        #expect(OpenFiles.raiseLimit() == OpenFiles.raiseLimit())
        #expect(OpenFiles.raiseLimit() >= 256)
    }
}
