import Glibc
import NIOCore
import NIOSSL

extension ChannelHandlerContext {
    /// Ends the connection at once. Nothing more is sent of what was written, also not what waits in the system, which may be megabytes
    /// and would stay there for as long as the client does not read.
    func cut() {
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        // TLS itself would send what waits, and wait for the client to end the connection as well.
        let encrypted = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
        (encrypted ?? self).close(promise: nil)
    }
}
