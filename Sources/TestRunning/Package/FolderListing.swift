import Foundation

/// What lies in a folder and below it, as SwiftPM finds sources there: without hidden things.
struct FolderListing: Sendable, Hashable {
    /// One thing in the folder that is no folder.
    struct File: Sendable, Hashable {
        /// Where it lies, relative to the folder listed.
        var path: [UInt8]
        /// Where it leads to, if it is a link.
        var target: [UInt8]?
        /// In which state it is, behind a link; `nil` where that was not asked, or a link leads nowhere.
        var stamp: FileStamp?
    }

    /// More than any package has; a folder with more is something else.
    private static let most = 100_000

    /// All folders below, in order.
    private(set) var folders: [[UInt8]] = []
    /// All files, in order.
    private(set) var files: [File] = []

    /// Lists a folder; `nil` where it cannot be read, is too large, or a link leads to a folder of which nothing is listed.
    ///
    /// - Parameters:
    ///   - stamped: Whether the state of each file is wanted.
    ///   - skipping: What is left out, with all that is below it, by its relative path.
    init?(_ folder: String, stamped: Bool = false, skipping: ([UInt8]) -> Bool = { _ in false }) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, list(descriptor, below: [], stamped, skipping) else { return nil }
    }

    /// Whether there is nothing in the folder.
    var isEmpty: Bool { folders.isEmpty && files.isEmpty }

    /// - Parameter descriptor: The open folder; it is closed here.
    private mutating func list(
        _ descriptor: Int32, below prefix: [UInt8], _ stamped: Bool, _ skipping: ([UInt8]) -> Bool
    ) -> Bool {
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return false
        }
        defer { closedir(stream) }
        guard let entries = Self.entries(of: stream) else { return false }
        for (name, kind) in entries {
            let path = prefix + name.utf8
            if skipping(path) { continue }
            guard files.count + folders.count < Self.most else { return false }
            switch kind {
            case DT_DIR:
                folders.append(path)
                let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard inner >= 0, list(inner, below: path + [UInt8(ascii: "/")], stamped, skipping) else {
                    return false
                }
            case DT_REG, DT_LNK:
                guard let file = Self.file(path, name, isLink: kind == DT_LNK, in: descriptor, stamped) else {
                    return false
                }
                files.append(file)
            default:
                // A file system that does not tell kinds, or something that nobody builds.
                return false
            }
        }
        return true
    }

    /// What a folder holds, in order; `nil` where a name is no text.
    private static func entries(of stream: OpaquePointer) -> [(name: String, kind: Int)]? {
        var found: [(name: String, kind: Int)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name else { return nil }
            if !name.hasPrefix(".") { found.append((name, Int(entry.pointee.d_type))) }
        }
        return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Looks at one file; `nil` for a link to something else than a file.
    private static func file(
        _ path: [UInt8], _ name: String, isLink: Bool, in folder: Int32, _ stamped: Bool
    ) -> File? {
        var file = File(path: path)
        guard isLink || stamped else { return file }
        var info = stat()
        let isThere = fstatat(folder, name, &info, 0) == 0
        if isThere, info.st_mode & S_IFMT != S_IFREG { return nil }
        if isThere, stamped { file.stamp = FileStamp(info) }
        guard isLink else { return isThere ? file : nil }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlinkat(folder, name, &target, target.count)
        guard length >= 0 else { return nil }
        file.target = target.prefix(length).map { UInt8(bitPattern: $0) }
        return file
    }
}
