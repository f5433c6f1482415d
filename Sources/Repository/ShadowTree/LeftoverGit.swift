import Foundation

/// Ends git where a killed run left it at work: it goes on when the one who asked is gone, and would write an older tree
/// into the folder that another run has taken over and looked through.
enum LeftoverGit {
    private static let patience = Duration.seconds(10)

    /// Returns once no git works on a folder, or one below it, any more.
    static func end(in folder: String) throws(ShadowTreeError) {
        let deadline = ContinuousClock.now + patience
        while true {
            let left = processes(in: folder)
            if left.isEmpty { return }
            guard ContinuousClock.now < deadline else { throw .busy(nil) }
            for process in left { kill(process, SIGKILL) }
            usleep(10_000)
        }
    }

    /// The processes that were started as git with this work tree; what has ended has no words any more.
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
