import Foundation
import TestResults

/// A process as the kernel lists it in `/proc/<pid>/stat`.
struct ProcessEntry: Sendable, Hashable {
    /// Its number.
    let pid: Int32
    /// The number of its parent.
    let parent: Int32
    /// The number of its session: that of the process that began it.
    let session: Int32
    /// Its name, at most 15 bytes; untrusted text.
    let name: String
    /// Whether it has ended and its parent has not waited for it yet.
    let isZombie: Bool

    /// Reads one line of `/proc/<pid>/stat`; anything else is `nil`.
    init?(stat line: some Sequence<UInt8>) {
        let bytes = Array(line)
        // The name is in parentheses and may contain parentheses and spaces itself.
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        let rest = bytes[(close + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 4)
        guard rest.count >= 4, let state = rest[0].first,
            let pid = Int32(String(decoding: bytes[..<open], as: UTF8.self).trimmingCharacters(in: .whitespaces)),
            let parent = Int32(String(decoding: rest[1], as: UTF8.self)),
            let session = Int32(String(decoding: rest[3], as: UTF8.self))
        else { return nil }
        self.pid = pid
        self.parent = parent
        self.session = session
        name = String(decoding: bytes[(open + 1)..<close], as: UTF8.self)
        isZombie = state == UInt8(ascii: "Z")
    }

    /// Reads a process; `nil` if it is gone.
    init?(pid: Int32) {
        guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        self.init(stat: line)
    }
}

extension ProcessEntry {
    /// Whether it is a test binary, by SwiftPM's name for it.
    var isTestProcess: Bool { TestProgram.isNamed(by: Self.link("/proc/\(pid)/exe")) }

    /// What it is doing, such as `4711 sleep (S in hrtimer_nanosleep, 1 thread)`; shorter for one that has just
    /// ended.
    var activity: String {
        let state = FileManager.default.contents(atPath: "/proc/\(pid)/stat").map { line in
            let rest = line[(line.lastIndex(of: UInt8(ascii: ")")) ?? line.startIndex)...].dropFirst(2)
            return String(decoding: rest.prefix(1), as: UTF8.self)
        }
        let place = FileManager.default.contents(atPath: "/proc/\(pid)/wchan").map {
            String(decoding: $0, as: UTF8.self)
        }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task"))?.count ?? 0
        let wait = place.flatMap { $0.isEmpty || $0 == "0" ? nil : " in \($0)" } ?? ""
        return "\(pid) \(name) (\(state ?? "?")\(wait), \(threads) \(threads == 1 ? "thread" : "threads"))"
    }

    private static func link(_ path: String) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
    }
}

/// All processes of a moment.
struct ProcessTable: Sendable, Hashable {
    /// In no order.
    let entries: [ProcessEntry]

    /// Reads `/proc`. A process that ends meanwhile is left out.
    static func current() -> ProcessTable {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return ProcessTable(
            entries: numbers.compactMap { number in
                Int32(number).flatMap { ProcessEntry(pid: $0) }
            }
        )
    }

    /// The ids of the children of a process, much faster than a whole table; `nil` if the kernel does not list them.
    static func numbersOfChildren(of pid: Int32) -> [Int32]? {
        guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/task/\(pid)/children") else { return nil }
        return line.split(separator: UInt8(ascii: " ")).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }

    /// The children of a process.
    func children(of pid: Int32) -> [ProcessEntry] { entries.filter { $0.parent == pid } }

    /// Everything below a process, parents before children.
    func descendants(of pid: Int32) -> [ProcessEntry] {
        var found: [ProcessEntry] = []
        var seen: Set<Int32> = [pid]
        var waiting = [pid]
        while let next = waiting.popLast() {
            for child in children(of: next) where seen.insert(child.pid).inserted {
                found.append(child)
                waiting.append(child.pid)
            }
        }
        return found
    }
}
