import Foundation
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Dashboard

/// The server on a real socket, asked byte by byte.
@Suite struct ServerTests {
    /// Runs the server on a free port while `body` talks to it, then stops it.
    private func withServer(_ body: @escaping @Sendable (UInt16) async throws -> Void) async throws {
        let server = try DashboardServer(
            store: SampleStore.three.get().store,
            configuration: DashboardConfiguration(address: .tcp(host: "127.0.0.1", port: 0)),
            now: { SampleRuns.moment }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let (ports, ready) = AsyncStream.makeStream(of: UInt16.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await server.run { address in
                        if case .tcp(_, let port) = address { ready.yield(UInt16(port)) }
                    }
                } catch  where Task.isCancelled {}
            }
            var iterator = ports.makeAsyncIterator()
            try await body(#require(await iterator.next()))
            group.cancelAll()
        }
    }

    @Test func `raw requests get the answer they deserve`() async throws {
        try await withServer { port in
            let good = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            for (request, status) in [
                (good + "\r\n", "200"),
                ("HEAD /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n", "200"),
                ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400"),
                (good + "Host: evil.example\r\n\r\n", "400"),
                ("GET / HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n", "400"),
                ("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "421"),
                ("GET /%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "404"),
                ("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "404"),
                ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "200"),
                ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc", "405"),
                ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "400"),
                ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "400"),
                (good + "X: " + String(repeating: "a", count: 20_000) + "\r\n\r\n", "400"),
                (good + (0..<120).map { "X\($0): a\r\n" }.joined() + "\r\n", "400"),
                ("\u{16}\u{3}\u{1} not http\r\n\r\n", "400"),
            ] {
                let answer = try await RawConnection.exchange(request, port: port)
                #expect(
                    answer.hasPrefix("HTTP/1.1 \(status) "),
                    "\(request.prefix(80).debugDescription): \(answer.prefix(60))")
            }
        }
    }

    @Test func `a client that waits for leave to send its body gets it, and then its answer`() async throws {
        try await withServer { port in
            let answer = try await RawConnection.exchange(
                "PUT /api/v1/runs/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\n"
                    + "Connection: close\r\n\r\nabc", port: port)
            #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 "), "\(answer.prefix(200))")
        }
    }

    @Test func `a page that is known is not sent, and the connection goes on`() async throws {
        try await withServer { port in
            let answers = try await RawConnection.exchange(
                """
                GET / HTTP/1.1\r
                Host: localhost\r
                If-None-Match: "other"\r
                If-None-Match: *\r
                \r
                GET /healthz HTTP/1.1\r
                Host: localhost\r
                Connection: close\r
                \r

                """, port: port)
            let parts = answers.split(separator: "\r\n\r\n")
            #expect(parts.count == 3)
            #expect(parts[0].hasPrefix("HTTP/1.1 304 "))
            #expect(!parts[0].lowercased().contains("content-length"))
            #expect(parts[1].hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `the loop of connections outlives a server`() async throws {
        try await withServer { port in
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let answer = try await RawConnection.exchange(request, port: port)
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
        }
        let isAlive = try await DashboardServer.loops.any().submit { true }.get()
        #expect(isAlive)
    }

    @Test func `an address that is taken is named`() async throws {
        try await withServer { port in
            let second = try DashboardServer(
                store: SampleStore.three.get().store,
                configuration: DashboardConfiguration(address: .tcp(host: "127.0.0.1", port: Int(port))),
                now: { SampleRuns.moment }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            await #expect {
                try await second.run()
            } throws: { error in
                "\(error)".hasPrefix("serve the dashboard on http://127.0.0.1:\(port)/: ")
            }
        }
    }
}
