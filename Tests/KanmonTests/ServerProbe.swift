import Foundation

/// Talks HTTP to a server on a socket in the file system, or on a port of this machine, one connection for each request.
struct ServerProbe: Sendable {
    /// The path of the socket.
    var path = ""
    /// The port, if it is no socket in the file system.
    var port: UInt16?

    /// A port that nothing listens on now.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isKnown else { throw Unreachable() }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// What came back.
    struct Reply: Sendable {
        let status: Int
        let body: String
    }

    /// There is no server, or it went away.
    struct Unreachable: Error {}

    /// Sends a request and reads the answer to its end.
    func send(
        _ method: String, _ target: String, _ body: [UInt8] = [], token: String? = nil
    ) throws -> Reply {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        if method != "GET" { head += "Content-Length: \(body.count)\r\n" }
        let answer = try exchange(Array((head + "\r\n").utf8) + body)
        let text = String(decoding: answer, as: UTF8.self)
        guard let status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap({ Int($0) }),
            let end = text.range(of: "\r\n\r\n")
        else { throw Unreachable() }
        return Reply(status: status, body: String(text[end.upperBound...]))
    }

    /// Waits until the server answers.
    func wait() async throws {
        for _ in 0..<2400 {
            if let reply = try? send("GET", "/healthz"), reply.status == 200 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Unreachable()
    }

    private func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
        let descriptor = try connected()
        defer { close(descriptor) }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }

    /// A connection to the server.
    private func connected() throws -> Int32 {
        let descriptor = socket(port == nil ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Unreachable() }
        let isConnected = port.map { Self.connect(descriptor, Self.loopback(port: $0)) } ?? connectToPath(descriptor)
        guard isConnected else {
            close(descriptor)
            throw Unreachable()
        }
        return descriptor
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: Address) -> Bool {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
    }

    private func connectToPath(_ descriptor: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return Self.connect(descriptor, address)
    }
}
