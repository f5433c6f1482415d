import CProcess
import Foundation
public import RunModel

/// The isolation that the machine allows.
public struct IsolationSupport: Sendable, Hashable {
    /// Why PID namespaces are not possible; `nil` if they are.
    var namespaceRefusal: String?
    /// The folder in which cgroups can be made; `nil` if they cannot.
    var cgroupParent: String?
    /// Why no cgroup can be made.
    var cgroupRefusal: String?

    /// Tries both, which takes a few milliseconds.
    public static func probe() -> IsolationSupport {
        var support = IsolationSupport()
        let failure = cprocess_probe_namespace()
        if failure != 0 { support.namespaceRefusal = systemMessage(failure) }
        do throws(CgroupRefusal) {
            support.cgroupParent = try CgroupFolder.delegated()
        } catch {
            support.cgroupRefusal = error.reason
        }
        return support
    }

    /// Why an isolation is not possible here; `nil` if it is.
    public func refusal(of isolation: Isolation) -> String? {
        switch isolation {
        case .reaper: nil
        case .cgroup: cgroupParent == nil ? cgroupRefusal ?? "cgroups were not checked" : nil
        case .pidNamespace: namespaceRefusal
        }
    }

    /// The best isolation possible: a cgroup changes nothing for the tests, a namespace shows them another /proc.
    public var best: Isolation { Self.beyondReaper.first { refusal(of: $0) == nil } ?? .reaper }

    private static let beyondReaper = [Isolation.cgroup, .pidNamespace]

    /// The note of `best` if only the reaper is possible.
    var shortfall: [Note] {
        guard best == .reaper else { return [] }
        return Self.beyondReaper.map { isolation in
            Note(.isolationMissing, subject: isolation.rawValue, detail: refusal(of: isolation) ?? "")
        }
    }

    func isolation(by rule: IsolationRule) throws(RunnerError) -> TreeIsolation {
        let chosen: Isolation
        switch rule {
        case .exactly(let isolation): chosen = isolation
        case .best: chosen = best
        }
        if let reason = refusal(of: chosen) { throw .isolationRefused(chosen, reason: reason) }
        switch chosen {
        case .reaper: return .reaper
        case .pidNamespace: return .pidNamespace
        case .cgroup: return .cgroup(parent: cgroupParent ?? "")
        }
    }
}

/// The isolation of one process tree.
enum TreeIsolation: Sendable, Hashable {
    case reaper
    case pidNamespace
    /// Each tree gets a cgroup of its own below this folder.
    case cgroup(parent: String)

    /// Which one it is.
    var kind: Isolation {
        switch self {
        case .reaper: .reaper
        case .pidNamespace: .pidNamespace
        case .cgroup: .cgroup
        }
    }
}

/// Why no cgroup can be made.
struct CgroupRefusal: Error, Hashable {
    var reason: String
}

/// The folders of cgroups of version 2; version 1 cannot kill all processes of a cgroup.
enum CgroupFolder {
    private static let prefix = "kanmon-"

    /// The cgroup of this process, if new ones may be made in it.
    static func delegated() throws(CgroupRefusal) -> String {
        func text(_ path: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        guard let folder = own(mounts: text("/proc/self/mountinfo"), memberships: text("/proc/self/cgroup")) else {
            throw CgroupRefusal(reason: "no cgroups of version 2 are mounted")
        }
        let trial = try make(in: folder)
        defer { rmdir(trial) }
        let failure = cprocess_probe_cgroup(trial)
        guard failure == 0 else {
            let reason = failure == ENOENT ? "the kernel has no cgroup.kill" : systemMessage(failure)
            throw CgroupRefusal(reason: "\(folder): \(reason)")
        }
        return folder
    }

    /// Makes a cgroup.
    static func make(in parent: String) throws(CgroupRefusal) -> String {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap(mkdtemp) }) != nil else {
            throw CgroupRefusal(reason: "\(parent): \(systemMessage(errno))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The folder of this process's cgroup, from the kernel's lists of mounts and memberships.
    static func own(mounts: String, memberships: String) -> String? {
        let member = memberships.split(separator: "\n").first { $0.hasPrefix("0::/") }
        guard let path = member?.dropFirst(3) else { return nil }
        for line in mounts.split(separator: "\n") {
            // After the dash come the type, the source and the options.
            let halves = line.split(separator: " - ", maxSplits: 1)
            let fields = line.split(separator: " ")
            guard halves.count == 2, halves[1].hasPrefix("cgroup2 "), fields.count > 4 else { continue }
            let (root, mount) = (fields[3], fields[4])
            guard root == "/" || path == root || path.hasPrefix("\(root)/") else { continue }
            let below = root == "/" ? path : path.dropFirst(root.count)
            return below == "/" || below.isEmpty ? String(mount) : "\(mount)\(below)"
        }
        return nil
    }
}
