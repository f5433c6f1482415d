import Glibc

extension GitRepository {
    /// The top of the work tree around a folder, as found on disk; `nil` outside of any.
    ///
    /// `core.worktree` is ignored, because the files around the package are built.
    ///
    /// - Parameter folder: Absolute, with links resolved.
    public static func top(around folder: String) -> String? {
        var rest = Array(folder.utf8)[...]
        while !rest.isEmpty {
            var status = stat()
            if (Array(rest) + Array("/.git".utf8)).withPath({ lstat($0, &status) }) == 0 {
                return String(decoding: rest, as: UTF8.self)
            }
            rest = rest[..<(rest.lastIndex(of: UInt8(ascii: "/")) ?? rest.startIndex)]
        }
        return nil
    }
}
