public import Foundation

/// A small file that only its owner can read and that is written as a whole: there is the old one or the new one, and never a part.
/// It belongs to whoever writes it; if that is root, to the owner of its folder.
public enum SmallFile {
    /// Writes a file in place of what is there; on disk when it returns.
    ///
    /// - Throws: `EvidenceError.unwritable`; the file is then as it was.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(EvidenceError) {
        let fresh = try prepare(path, bytes)
        guard rename(fresh, path) == 0 else {
            let reason = FileBytes.systemError()
            unlink(fresh)
            throw .unwritable(path: path, reason: reason)
        }
        try FileBytes.sync(folder(of: path))
    }

    /// Writes a file, unless something has its name; on disk when it returns.
    ///
    /// - Returns: Whether it was written.
    /// - Throws: `EvidenceError.unwritable`.
    public static func create(_ path: String, with bytes: [UInt8]) throws(EvidenceError) -> Bool {
        let fresh = try prepare(path, bytes)
        defer { unlink(fresh) }
        // Unlike a new name, a link never replaces what is there.
        guard link(fresh, path) == 0 else {
            if errno == EEXIST { return false }
            throw .unwritable(path: path, reason: FileBytes.systemError())
        }
        try FileBytes.sync(folder(of: path))
        return true
    }

    /// The bytes of a regular file; `nil` if there is none.
    ///
    /// - Throws: `EvidenceError` for a link, for what is no file, and beyond `limit` bytes.
    public static func read(_ path: String, limit: Int) throws(EvidenceError) -> [UInt8]? {
        try FileBytes.read(path, limit: limit)
    }

    /// Removes what writers that were killed have left in a folder: unfinished files that are older than an hour.
    public static func removeUnfinished(in folder: String, now: Date) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.contains(mark) {
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > 3_600
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// What follows the final name in that of an unfinished file, before a random number.
    private static let mark = ".new-"

    /// A name for a file until it is complete.
    static func unfinishedName(of path: String) -> String {
        "\(path)\(mark)\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    }

    /// Writes a file beside the final one, and waits until it is on the disk.
    private static func prepare(_ path: String, _ bytes: [UInt8]) throws(EvidenceError) -> String {
        let fresh = unfinishedName(of: path)
        try FileBytes.prepare(fresh) { (file: inout FileWriter) throws(EvidenceError) in
            try bytes.withUnsafeBufferPointer { bytes throws(EvidenceError) in
                try file.append(UnsafeRawBufferPointer(bytes))
            }
        }
        return fresh
    }

    private static func folder(of path: String) -> String { (path as NSString).deletingLastPathComponent }
}
