import Foundation
import RunModel

/// The contents of a folder and its subfolders.
struct FolderListing: Sendable, Hashable {
    /// One entry that is no folder.
    struct File: Sendable, Hashable {
        /// Its path, relative to the listed folder.
        var path: [UInt8]
        /// The target, if it is a link; for a link to a folder followed by a NUL and the resolved path.
        var target: [UInt8]?
        /// The stamp, following links; `nil` if not requested, and for what is no file.
        var stamp: FileStamp?
    }

    /// More than any package has.
    private static let most = 250_000

    /// All folders below, in order.
    private(set) var folders: [[UInt8]] = []
    /// All files, in order.
    private(set) var files: [File] = []
    /// The folders outside of the listing to which links lead, with links resolved.
    private(set) var outside: [String] = []

    /// Lists a folder; `nil` if it cannot be read completely, is too large, or a link leads to a folder outside of
    /// the listing.
    ///
    /// - Parameters:
    ///   - stamped: Whether to read the stamp of each file.
    ///   - leadsOutside: Whether links may lead to folders outside, which `outside` then has.
    ///   - skipping: Entries to skip, with everything below, by relative path.
    init?(
        _ folder: String, stamped: Bool = false, leadsOutside: Bool = false,
        skipping: ([UInt8]) -> Bool = { _ in false }
    ) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let walk = Walk(root: folder, isStamped: stamped, leadsOutside: leadsOutside)
        guard list(descriptor, below: [], walk, skipping) else { return nil }
    }

    /// Whether an entry is nothing that a package is built from: git's own, and what SwiftPM builds.
    static func isNoSource(_ path: [UInt8]) -> Bool {
        let name = path.lastComponent
        return name.elementsEqual(".git".utf8) || name.elementsEqual(".build".utf8)
    }

    /// The same for an entry of a folder: what is called like SwiftPM's folder is one only beside a manifest.
    static func isNoSource(_ path: [UInt8], in folder: String) -> Bool {
        guard isNoSource(path) else { return false }
        guard path.lastComponent.elementsEqual(".build".utf8) else { return true }
        let parent = String(decoding: path.dropLast(path.lastComponent.count), as: UTF8.self)
        return FileManager.default.fileExists(atPath: "\(folder)/\(parent)Package.swift")
    }

    /// Whether there is nothing in the folder.
    var isEmpty: Bool { folders.isEmpty && files.isEmpty }

    /// The state of a listing.
    private struct Walk {
        var root: String
        var isStamped: Bool
        var leadsOutside: Bool
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
            // Some file systems list names without kinds.
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
                guard let link = link(path, name, in: descriptor, walk, skipping) else { return false }
                files.append(link)
            default:
                // A pipe or a socket: only its name counts.
                files.append(File(path: path))
            }
        }
        return true
    }

    /// The names in a folder with their kinds, in order; `nil` if one cannot be read or is not valid text.
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
        return found.sorted { Name($0.name) < Name($1.name) }
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

    /// Reads a link; `nil` for one to a folder outside of the listing, unless such links are allowed.
    private mutating func link(
        _ path: [UInt8], _ name: String, in folder: Int32, _ walk: Walk, _ skipping: ([UInt8]) -> Bool
    ) -> File? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlinkat(folder, name, &target, target.count)
        guard length >= 0 else { return nil }
        var file = File(path: path, target: target.prefix(length).map { UInt8(bitPattern: $0) })
        var info = stat()
        // A broken link counts as a file that cannot be read.
        guard fstatat(folder, name, &info, 0) == 0 else { return file }
        if info.st_mode & S_IFMT == S_IFDIR {
            let inner = Self.place(behind: path, walk, skipping)
            guard let place = inner ?? (walk.leadsOutside ? Self.place(behind: path, walk) : nil) else { return nil }
            if inner == nil { outside.append(place) }
            // The path may contain other links.
            file.target? += [0] + place.utf8
            return file
        }
        if walk.isStamped { file.stamp = FileStamp(info) }
        return file
    }

    /// The resolved path of a link.
    private static func place(behind link: [UInt8], _ walk: Walk) -> String? {
        realPath("\(walk.root)/\(String(decoding: link, as: UTF8.self))")
    }

    /// The resolved path of a link to a folder, if that folder is in the listing.
    private static func place(behind link: [UInt8], _ walk: Walk, _ skipping: ([UInt8]) -> Bool) -> String? {
        guard let place = place(behind: link, walk), let root = realPath(walk.root) else { return nil }
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
    /// The part after the last slash of a path.
    var lastComponent: ArraySlice<UInt8> { self[(lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...] }
}
