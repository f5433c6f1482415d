import Foundation

/// Ends git processes of a killed run: they would go on and write an older tree into a folder that another run
/// already uses.
enum LeftoverGit {
    private static let timeout = Duration.seconds(10)

    /// Returns when no git process works in a folder or below it any more.
    static func end(in folder: String) throws(ShadowTreeError) {
        let deadline = ContinuousClock.now + timeout
        while true {
            let left = processes(in: folder)
            if left.isEmpty { return }
            guard ContinuousClock.now < deadline else { throw .busy(nil) }
            for process in left { kill(process, SIGKILL) }
            usleep(10_000)
        }
    }

    /// The processes that were started as git with this work tree; an ended process has no arguments.
    static func processes(in folder: String) -> [Int32] {
        let tree = Array("--work-tree=\(folder)".utf8)
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return numbers.compactMap { Int32($0) }.filter { number in
            let words = (FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()).split(separator: 0)
            guard let program = words.first, program.suffix(3).elementsEqual("git".utf8) else { return false }
            return words.contains { word in
                word.starts(with: tree)
                    && (word.count == tree.count || word.dropFirst(tree.count).first == UInt8(ascii: "/"))
            }
        }
    }
}
