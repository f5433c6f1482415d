import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Dashboard

@Suite struct ConnectionTests {
    /// A connection whose time stands still until it is moved.
    private static func connection(_ registry: ConnectionRegistry) async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(ConnectionWatch(registry, timeout: .seconds(30)))
        }
        try await channel.connect(to: .init(unixDomainSocketPath: "/tmp/none"))
        return channel
    }

    /// Which of some connections stay open; the registry has others close them, which takes a moment.
    private static func open(_ channels: [NIOAsyncTestingChannel], of count: Int) async throws -> [Bool] {
        for _ in 0..<2_000 where channels.count(where: \.isActive) != count {
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

    @Test(arguments: [(100, 8), (200, 80), (1024, 739), (4096, 1024), (Int.max / 8, 1024)])
    func `there are as many connections as files allow`(files: Int, connections: Int) {
        #expect(DashboardServer.mostConnections(ofFiles: files) == connections)
    }

    @Test func `as many files may be open as the system allows`() {
        #expect(OpenFiles.raiseLimit() == OpenFiles.raiseLimit())
        #expect(OpenFiles.raiseLimit() >= 256)
    }
}
