import Evidence
import Foundation

/// The socket in the file system that a server listens on: nobody else's, and only for its owner and the group of its folder.
struct UnixSocketFile: Sendable {
    private let path: String
    private let earlierMask: mode_t

    /// Makes sure that nobody listens on a socket; what a server that is gone has left there is removed when the next one listens.
    ///
    /// - Returns: `nil` for another address.
    /// - Throws: `DashboardError.cannotServe` if another server listens there, or something else has the name.
    init?(_ address: DashboardConfiguration.Address) throws(DashboardError) {
        guard case .unixSocket(let path) = address else { return nil }
        self.path = path
        let found = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if let found, found != .typeSocket {
            throw .cannotServe(address, reason: "there is something else of this name")
        }
        if Self.isTaken(path) { throw .cannotServe(address, reason: "another server listens there") }
        // Until its mode is set, the socket is closed to all others.
        earlierMask = umask(0o077)
    }

    /// Opens the socket to its owner and the group of its folder, as soon as it is there.
    func open() {
        restoreMask()
        if let folder = FileStatus(at: (path as NSString).deletingLastPathComponent) {
            _ = lchown(path, uid_t.max, folder.group)
        }
        chmod(path, 0o660)
    }

    /// Gives other files the modes that they had before.
    func restoreMask() { umask(earlierMask) }

    /// Whether a program accepts connections there.
    private static func isTaken(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        // One with many that wait accepts none now, but is there.
        return isConnected || errno == EAGAIN
    }
}
