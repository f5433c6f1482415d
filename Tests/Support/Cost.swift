import Foundation

/// What a piece of work costs: processor time of the thread, and the memory it takes at most beside what the process had.
///
/// Nothing is decided by it in a test. `scripts/check-costs` reads the file that `KANMON_COSTS` names.
public struct Cost: Sendable {
    /// Seconds of processor time.
    public let seconds: Double
    /// MiB beside what the process had before.
    public let mebibytes: Int

    /// Does the work.
    public static func measure(_ work: () throws -> Void) rethrows -> Cost {
        // What the process takes now is the peak from here on.
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        let (memory, start) = (status("VmRSS:"), processorTime())
        try work()
        return Cost(seconds: processorTime() - start, mebibytes: max(0, status("VmHWM:") - memory))
    }

    /// Writes it down for the script; nothing without one.
    public func tell(_ what: String) {
        guard let path = ProcessInfo.processInfo.environment["KANMON_COSTS"] else { return }
        let line = "\(what)\t\(seconds)\t\(mebibytes)\n"
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        _ = try? file.seekToEnd()
        try? file.write(contentsOf: Data(line.utf8))
        try? file.close()
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func status(_ key: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
        return (line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0)
            >> 10
    }
}
