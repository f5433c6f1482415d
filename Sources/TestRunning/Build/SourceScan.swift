import Foundation
import RunModel

/// The files in the folders that a build reads, as they are listed: names and stamps, no content.
struct SourceScan: Sendable, Hashable {
    /// The folders of dependencies in the scratch folder.
    static let fetched = ["artifacts", "checkouts", "prebuilts", "registry"]
    /// More folders to which links lead than this are not followed.
    private static let mostFolders = 64

    private struct Place: Sendable, Hashable {
        var path: String
        var listing: FolderListing
    }

    private var places: [Place] = []
    private var single: [[UInt8]: FolderListing.File] = [:]

    /// Lists folders, folders to which links in them lead, and single files; `nil` if not everything in them can be listed.
    ///
    /// - Parameters:
    ///   - folders: One that does not exist counts like an empty one.
    ///   - files: Absolute; one that does not exist is left out.
    ///   - scratch: The folder for build products, whose own entries nothing is built from; it may lie in one of the others.
    init?(folders: [String], files: [String], without scratch: String? = nil) {
        var waiting = Array(folders.reversed())
        var seen: Set<Name> = []
        while let folder = waiting.popLast() {
            guard let path = realPath(folder), seen.insert(Name(path)).inserted else { continue }
            if places.contains(where: { Self.isListed(path, in: $0.path) }) { continue }
            guard seen.count <= Self.mostFolders + folders.count else { return nil }
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            guard info.st_mode & S_IFMT == S_IFDIR else {
                single[Array(path.utf8)] = FolderListing.File(path: [], stamp: FileStamp(info))
                continue
            }
            let inner = scratch.flatMap { $0.hasPrefix("\(path)/") ? $0.utf8.dropFirst(path.utf8.count + 1) : nil }
            guard
                let listing = FolderListing(
                    path, stamped: true, leadsOutside: true,
                    skipping: { FolderListing.isNoSource($0, in: path) || inner.map($0.elementsEqual) == true })
            else { return nil }
            places.append(Place(path: path, listing: listing))
            waiting += listing.outside
        }
        for file in files {
            guard let stamp = FileStamp(file) else { continue }
            single[Array(file.utf8)] = FolderListing.File(path: [], stamp: stamp)
        }
    }

    /// Whether the listing of a folder has another one with all that is in it.
    private static func isListed(_ path: String, in folder: String) -> Bool {
        guard path.hasPrefix(folder + "/") else { return false }
        let inner = Array(path.utf8.dropFirst(folder.utf8.count + 1))
        let ends = inner.indices.filter { inner[$0] == UInt8(ascii: "/") } + [inner.count]
        return ends.allSatisfy { !FolderListing.isNoSource(Array(inner[..<$0]), in: folder) }
    }

    /// All files by their absolute paths.
    var files: [[UInt8]: FolderListing.File] {
        var files = single
        for place in places {
            let prefix = Array("\(place.path)/".utf8)
            for file in place.listing.files { files[prefix + file.path] = file }
        }
        return files
    }

    /// Whether a later change of any file would change its stamp; see `FileStamp.isSettled`.
    func isSettled(at now: Int64) -> Bool {
        single.values.allSatisfy { $0.stamp?.isSettled(at: now) != false }
            && places.allSatisfy { $0.listing.files.allSatisfy { $0.stamp?.isSettled(at: now) != false } }
    }

    /// All names and stamps as one hash.
    var hash: String {
        var hash = PiecewiseHash()
        for place in places {
            hash.add(place.path.utf8)
            hash.add(place.listing)
        }
        for (path, file) in single.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            hash.add(path)
            hash.add(file.stamp?.bytes)
        }
        return hash.hexadecimal
    }
}
