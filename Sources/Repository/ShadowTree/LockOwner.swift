public import Foundation

/// The owner of the shadow tree, written into the lock file, so that a waiting run can name it.
public struct LockOwner: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The process.
    public var pid: Int32
    /// The machine it runs on; a repository may be on a shared disk.
    public var host: String
    /// When it took the lock.
    public var since: Date

    package init(pid: Int32, host: String, since: Date) { (self.pid, self.host, self.since) = (pid, host, since) }

    /// The process and the machine.
    public var description: String { "process \(pid) on \(host)" }
}
