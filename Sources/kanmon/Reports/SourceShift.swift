import Evidence
import Foundation
import Gate
import RunModel
import Storage

/// Where the lines of the files here were in the sources that a run kept.
struct SourceShift {
    let run: RunID
    let store: RunStore
    /// The package's folder.
    let folder: String

    /// The number that a line had; `nil` for one that the run did not have.
    ///
    /// Where either text is gone, or the file is as it was, the number is the same.
    func line(_ line: Int32, of path: String) throws -> Int32? {
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)"), let kept = try kept(path) else {
            return line
        }
        return Self.line(line, in: Array(bytes), was: kept)
    }

    private func kept(_ path: String) throws -> [UInt8]? {
        guard let hash = try store.coverage(of: path, in: run)?.file.sourceHash,
            let directory = try store.summary(of: run)?.runDirectory
        else { return nil }
        return try? RunDirectory(path: directory).source(hash)
    }

    /// The number in the old text of a line of the new one.
    static func line(_ line: Int32, in new: [UInt8], was old: [UInt8]) -> Int32? {
        if new == old { return line }
        let (before, after) = (lines(old), lines(new))
        guard Int(line) <= after.count else { return nil }
        let difference = after.difference(from: before)
        var (inserted, removed) = (Set<Int>(), Set<Int>())
        for change in difference {
            switch change {
            case .insert(let offset, _, _): inserted.insert(offset)
            case .remove(let offset, _, _): removed.insert(offset)
            }
        }
        let place = Int(line) - 1
        if inserted.contains(place) { return nil }
        // What stayed is in the same order in both.
        let rank = place - inserted.count { $0 < place }
        var (offset, kept) = (0, 0)
        while offset < before.count {
            if !removed.contains(offset) {
                if kept == rank { return Int32(offset + 1) }
                kept += 1
            }
            offset += 1
        }
        return nil
    }

    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
}
