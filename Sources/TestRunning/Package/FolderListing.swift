import Foundation

/// What lies in a folder and below it.
struct FolderListing: Sendable, Hashable {
    /// One thing in the folder that is no folder.
    struct File: Sendable, Hashable {
        /// Where it lies, relative to the folder listed.
        var path: [UInt8]
        /// Where it leads to, if it is a link; behind a zero, where a link to a folder leads in the end.
        var target: [UInt8]?
        /// In which state it is, behind a link; `nil` where that was not asked, and of what is no file.
        var stamp: FileStamp?
    }

    /// More than any package has; a folder with more is something else.
    private static let most = 250_000

    /// All folders below, in order.
    private(set) var folders: [[UInt8]] = []
    /// All files, in order.
    private(set) var files: [File] = []

    /// Lists a folder; `nil` where it cannot be read as a whole, is too large, or a link leads to a folder of which nothing
    /// is listed.
    ///
    /// - Parameters:
    ///   - stamped: Whether the state of each file is wanted.
    ///   - skipping: What is left out, with all that is below it, by its relative path.
    init?(_ folder: String, stamped: Bool = false, skipping: ([UInt8]) -> Bool = { _ in false }) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard list(descriptor, below: [], Walk(root: folder, isStamped: stamped), skipping) else { return nil }
    }

    /// Whether there is nothing in the folder.
    var isEmpty: Bool { folders.isEmpty && files.isEmpty }

    /// What is the same for every folder of a listing.
    private struct Walk {
        var root: String
        var isStamped: Bool
    }

    /// - Parameter descriptor: The open folder; it is closed here.
    private mutating func list(
        _ descriptor: Int32, below prefix: [UInt8], _ walk: Walk, _ skipping: ([UInt8]) -> Bool
    ) -> Bool {
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return false
        }
        defer { closedir(stream) }
        guard let names = Self.names(in: stream) else { return false }
        for (name, told) in names {
            let path = prefix + name.utf8
            if skipping(path) { continue }
            guard files.count + folders.count < Self.most else { return false }
            // Some file systems do not tell kinds with the names.
            guard let kind = told == DT_UNKNOWN ? Self.kind(of: name, in: descriptor) : told else { return false }
            switch kind {
            case DT_DIR:
                folders.append(path)
                let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard inner >= 0, list(inner, below: path + [UInt8(ascii: "/")], walk, skipping) else { return false }
            case DT_REG where !walk.isStamped: files.append(File(path: path))
            case DT_REG:
                var info = stat()
                guard fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
                files.append(File(path: path, stamp: FileStamp(info)))
            case DT_LNK:
                guard let link = Self.link(path, name, in: descriptor, walk, skipping) else { return false }
                files.append(link)
            default:
                // A pipe or a socket: its name is all that there is to it.
                files.append(File(path: path))
            }
        }
        return true
    }

    /// The names in a folder with their kinds, in order; `nil` where not all can be read, or one is no text.
    private static func names(in stream: OpaquePointer) -> [(name: String, kind: Int)]? {
        var found: [(name: String, kind: Int)] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name else { return nil }
            if name != ".", name != ".." { found.append((name, Int(entry.pointee.d_type))) }
        }
        guard errno == 0 else { return nil }
        return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private static func kind(of name: String, in folder: Int32) -> Int? {
        var info = stat()
        guard fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return switch info.st_mode & S_IFMT {
        case S_IFDIR: Int(DT_DIR)
        case S_IFREG: Int(DT_REG)
        case S_IFLNK: Int(DT_LNK)
        default: Int(DT_UNKNOWN)
        }
    }

    /// Looks at a link; `nil` for one to a folder of which nothing is listed.
    private static func link(
        _ path: [UInt8], _ name: String, in folder: Int32, _ walk: Walk, _ skipping: ([UInt8]) -> Bool
    ) -> File? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlinkat(folder, name, &target, target.count)
        guard length >= 0 else { return nil }
        var file = File(path: path, target: target.prefix(length).map { UInt8(bitPattern: $0) })
        var info = stat()
        // One that leads nowhere is a file like any other, which nobody can read.
        guard fstatat(folder, name, &info, 0) == 0 else { return file }
        if info.st_mode & S_IFMT == S_IFDIR {
            guard let place = place(behind: path, walk, skipping) else { return nil }
            // Other links may lie on the way.
            file.target? += [0] + place.utf8
            return file
        }
        if walk.isStamped { file.stamp = FileStamp(info) }
        return file
    }

    /// Where a link to a folder leads in the end, if that is listed in its own place.
    private static func place(behind link: [UInt8], _ walk: Walk, _ skipping: ([UInt8]) -> Bool) -> String? {
        guard let place = realPath("\(walk.root)/\(String(decoding: link, as: UTF8.self))"),
            let root = realPath(walk.root)
        else { return nil }
        guard place != root else { return place }
        guard place.hasPrefix(root + "/") else { return nil }
        let inner = place.utf8.dropFirst(root.utf8.count + 1)
        let isSkipped =
            skipping(Array(inner))
            || inner.indices.contains { inner[$0] == UInt8(ascii: "/") && skipping(Array(inner[..<$0])) }
        return isSkipped ? nil : place
    }
}

extension [UInt8] {
    /// What stands behind the last slash of a path.
    var lastComponent: ArraySlice<UInt8> { self[(lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...] }
}
