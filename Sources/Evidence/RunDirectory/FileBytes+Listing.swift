package import Foundation
import RunModel

/// A file or a folder in a folder.
package struct FolderEntry: Sendable, Hashable {
    /// The name in its folder.
    package let name: String
    package let isFolder: Bool
    /// The number of bytes of a file.
    package let size: Int
    /// When it was written last.
    package let modified: Date

    fileprivate init(_ name: String, isFolder: Bool, _ status: stat) {
        self.name = name
        self.isFolder = isFolder
        size = isFolder ? 0 : Int(status.st_size)
        let seconds = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1_000_000_000
        modified = Date(timeIntervalSince1970: seconds)
    }

    /// What the bytes of paths below it begin with: a folder comes where its slash puts it.
    private var order: Name { Name(isFolder ? "\(name)/" : name) }

    fileprivate static func areInOrder(_ left: FolderEntry, _ right: FolderEntry) -> Bool { left.order < right.order }
}

extension FileBytes {
    /// The regular files and the folders in a folder, in the order of the bytes of the paths below it; `nil` when there is none. Links,
    /// pipes and names that are not UTF-8 are left out.
    ///
    /// - Parameters:
    ///   - path: Contained in the folder, as `RunDirectory.isContained` has it, or empty for the folder itself.
    ///   - folder: The folder to begin with; below it no link is followed.
    package static func entries(
        of path: String, beneath folder: String
    ) throws(EvidenceError) -> [FolderEntry]? {
        // Whatever lies in a folder is found by opening that folder.
        let inside = path.isEmpty ? "any" : "\(path)/any"
        guard let (descriptor, _) = try openFolder(of: inside, beneath: folder) else { return nil }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            throw .unreadable(path: "\(folder)/\(path)", reason: systemError())
        }
        defer { closedir(stream) }
        var entries: [FolderEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name, name != ".", name != ".." else { continue }
            var status = stat()
            // It may have been removed meanwhile.
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: entries.append(FolderEntry(name, isFolder: false, status))
            case S_IFDIR: entries.append(FolderEntry(name, isFolder: true, status))
            default: break
            }
        }
        guard errno == 0 else { throw .unreadable(path: "\(folder)/\(path)", reason: systemError()) }
        return entries.sorted(by: FolderEntry.areInOrder)
    }
}
