import Evidence
public import Foundation
import RunModel

/// Objects as files below a folder, each under its key.
///
/// A file is written beside the others and gets its name when it is complete and on the disk. No link below the folder is followed. The
/// calls take no time but that of the disk, so no deadline ends them.
public struct FolderStore: ObjectStore {
    /// The folder; it need not exist.
    public let path: String

    /// Names a folder; nothing is read yet.
    public init(path: String) { self.path = path }

    /// The folder of files that are not complete. No key begins with a dot.
    private var unfinished: String { "\(path)/.unfinished" }

    /// Removes what writers that were killed have left: unfinished files that are older than an hour.
    public func removeUnfinished(now: Date) { SmallFile.removeUnfinished(in: unfinished, now: now) }

    /// Keeps an object; on disk when it returns.
    public func put(
        _ content: ObjectContent, at key: ObjectKey, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) {
        do throws(EvidenceError) {
            try FileBytes.replace(key.text, beneath: path, unfinishedIn: unfinished) {
                (file: inout FileWriter) throws(EvidenceError) in try Self.write(content, at: key, to: &file)
            }
        } catch {
            throw ObjectError(error, putting: true)
        }
    }

    private static func write(
        _ content: ObjectContent, at key: ObjectKey, to file: inout FileWriter
    ) throws(EvidenceError) {
        var (digest, offset) = (Digest(), 0)
        while offset < content.size {
            let piece = try content.piece(from: offset)
            try piece.withUnsafeBufferPointer { bytes throws(EvidenceError) in
                digest.update(UnsafeRawBufferPointer(bytes))
                try file.append(UnsafeRawBufferPointer(bytes))
            }
            offset += piece.count
        }
        guard digest.text == content.sha256 else {
            throw .damaged(file: key.text, reason: "its SHA-256 is \(digest.text), not \(content.sha256)")
        }
    }

    /// Hands over the bytes of a file.
    public func get(
        _ key: ObjectKey, limit: Int, until deadline: ContinuousClock.Instant,
        _ take: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    ) async throws(ObjectError) -> Int? {
        guard let file = try open(key, limit: limit) else { return nil }
        var offset = 0
        while offset < file.size {
            let piece = try next(of: file, from: offset)
            try piece.withUnsafeBufferPointer { bytes throws(ObjectError) in try take(UnsafeRawBufferPointer(bytes)) }
            offset += piece.count
        }
        return file.size
    }

    private func open(_ key: ObjectKey, limit: Int) throws(ObjectError) -> OpenRunFile? {
        do throws(EvidenceError) {
            return try OpenRunFile.open(key.text, beneath: path, limit: limit)
        } catch {
            throw unreadable(error)
        }
    }

    /// The error of a file that cannot be read: one object's, as long as the folder of all of them can be.
    private func unreadable(_ error: EvidenceError) -> ObjectError {
        switch error {
        case .damaged, .unreadable: break
        default: return ObjectError(error)
        }
        let found = try? FileBytes.entries(of: "", beneath: path)
        guard found != nil else { return ObjectError(error) }
        return ObjectError(
            .failed, "\(error)", hint: "look at the rights to this file, and for what is no file in its place")
    }

    private func next(of file: OpenRunFile, from offset: Int) throws(ObjectError) -> [UInt8] {
        let piece: [UInt8]
        do throws(EvidenceError) {
            piece = try file.bytes(from: offset, most: min(ObjectContent.pieceSize, file.size - offset))
        } catch {
            throw unreadable(error)
        }
        guard !piece.isEmpty else { throw ObjectError(.failed, "an object became shorter while it was read") }
        return piece
    }

    /// The size of a file.
    public func head(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError) -> Int? {
        try open(key, limit: .max)?.size
    }

    /// Removes a file. Its folder stays, as the next key may need it.
    public func delete(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError) {
        do throws(EvidenceError) {
            try FileBytes.remove(key.text, beneath: path)
        } catch {
            throw ObjectError(error)
        }
    }

    /// Lists files. Of each folder on the way to the page, all names are in memory.
    public func list(
        in folder: ObjectKey?, after: String?, limit: Int, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) -> ObjectPage {
        // One more than asked for says whether there is a next page.
        let most = min(max(limit, 1), ObjectPage.largest) + 1
        var walk = FolderWalk(path: path, after: after.map { Name($0) }, most: most)
        do throws(EvidenceError) {
            try walk.list(folder?.text ?? "")
        } catch {
            throw ObjectError(error)
        }
        guard walk.found.count == walk.most else { return ObjectPage(entries: walk.found, next: nil) }
        let entries = Array(walk.found.dropLast())
        return ObjectPage(entries: entries, next: entries.last?.key.text)
    }
}

/// The keys below a folder, in the order of their bytes.
private struct FolderWalk {
    let path: String
    let after: Name?
    let most: Int
    private(set) var found: [ObjectPage.Entry] = []

    init(path: String, after: Name?, most: Int) { (self.path, self.after, self.most) = (path, after, most) }

    /// Lists what is in a folder, given by its path below the store, until there is enough. Its depth is that of keys.
    mutating func list(_ folder: String) throws(EvidenceError) {
        for entry in try FileBytes.entries(of: folder, beneath: path) ?? [] {
            guard found.count < most else { return }
            let place = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
            // What is no key is not of this store, and neither is anything in it.
            guard let key = ObjectKey(place) else { continue }
            if entry.isFolder {
                if mayHold(place) { try list(place) }
            } else if after.map({ $0 < key.name }) ?? true {
                found.append(ObjectPage.Entry(key: key, size: entry.size, modified: entry.modified))
            }
        }
    }

    /// Whether a folder may hold keys behind `after`: all of its keys begin with its path.
    private func mayHold(_ folder: String) -> Bool {
        guard let after else { return true }
        let beginning = "\(folder)/"
        return after.text.utf8.starts(with: beginning.utf8) || after < Name(beginning)
    }
}
