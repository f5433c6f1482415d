import Foundation
import Glibc

/// A socket that sends exactly the bytes it is given: no client library would send what these tests have to.
enum RawConnection {
    struct Failure: Error {
        var step: String
        var errno: Int32
    }

    /// Sends a request to this machine and reads until the server closes or two minutes have passed without a byte.
    ///
    /// It waits on a thread of its own: the server needs those that tests share to make its answer.
    static func exchange(_ request: String, port: UInt16) async throws -> String {
        try await withCheckedThrowingContinuation { waiting in
            Thread.detachNewThread { waiting.resume(with: Result { try wait(for: request, port: port) }) }
        }
    }

    private static func wait(for request: String, port: UInt16) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(step: "socket", errno: errno) }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(step: "connect", errno: errno) }
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // A server that has already refused may have closed its end.
            guard sent > 0 else { break }
            rest.removeFirst(sent)
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let received = recv(descriptor, &chunk, chunk.count, 0)
            guard received > 0 else { break }
            answer += chunk[..<received]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
