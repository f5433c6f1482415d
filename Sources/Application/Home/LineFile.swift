import Evidence
import Foundation
import Gate

/// A file of the home with a line of JSON for each entry, the oldest first.
struct LineFile<Entry: Codable & Sendable>: Sendable {
    let path: String
    /// How many entries are kept; beyond that, and beyond `largest`, the oldest are forgotten.
    let most: Int
    /// The largest file that is read or written, in bytes.
    var largest = 16 << 20

    /// Adds an entry; on disk when it returns.
    ///
    /// - Throws: `Problem` if it cannot be written, or is larger than the whole file may be.
    func add(_ entry: Entry) throws(Problem) {
        try change { lines in
            let line = try Self.line(of: entry)
            guard line.count < largest else { throw Problem(.ioError, "an entry is too large for \(path)") }
            return Array(lines.suffix(most - 1)) + [line]
        }
    }

    /// All entries, the newest first; lines that cannot be read are left out.
    ///
    /// - Throws: `Problem` if the file cannot be read.
    func all() throws(Problem) -> [Entry] { try lines().compactMap(entry).reversed() }

    /// Removes entries; on disk when it returns. Nothing is written where there are none of them.
    ///
    /// - Throws: `Problem` if the file cannot be written.
    func remove(where isRemoved: (Entry) -> Bool) throws(Problem) {
        guard try all().contains(where: isRemoved) else { return }
        try change { lines in lines.filter { line in entry(line).map { !isRemoved($0) } ?? true } }
    }

    /// Puts others in the place of entries; on disk when it returns. Nothing is written where there are none of them.
    ///
    /// - Throws: `Problem` if the file cannot be written.
    func replace(where isReplaced: (Entry) -> Bool, by other: (Entry) -> Entry) throws(Problem) {
        guard try all().contains(where: isReplaced) else { return }
        try change { lines in
            try lines.map { line in
                guard let entry = entry(line), isReplaced(entry) else { return line }
                return try Self.line(of: other(entry))
            }
        }
    }

    private static func line(of entry: Entry) throws -> [UInt8] {
        Array(try JSONEncoder.steady.encode(entry))
    }

    private func entry(_ line: [UInt8]) -> Entry? {
        try? JSONDecoder.steady.decode(Entry.self, from: Data(line))
    }

    private func change(_ body: ([[UInt8]]) throws -> [[UInt8]]) throws(Problem) {
        let lock: ChangeLock
        do throws(EvidenceError) {
            lock = try ChangeLock(path)
        } catch {
            throw Problem(.ioError, "failed to \(error)")
        }
        defer { withExtendedLifetime(lock) {} }
        do {
            var lines = try body(self.lines())[...]
            var bytes = lines.reduce(0) { $0 + $1.count + 1 }
            // What lay behind the part that is read would never be seen again.
            while bytes > largest, let oldest = lines.popFirst() { bytes -= oldest.count + 1 }
            try SmallFile.replace(path, with: lines.flatMap { $0 + [UInt8(ascii: "\n")] })
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error)")
        }
    }

    private func lines() throws(Problem) -> [[UInt8]] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure()
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            let data = try file.read(upToCount: largest) ?? Data()
            return Array(data).split(separator: UInt8(ascii: "\n")).map { Array($0) }
        } catch {
            throw Problem(.ioError, "failed to read \(path): \(error.fileSystemReason)")
        }
    }

    private func failure() -> Problem {
        Problem(.ioError, "failed to use \(path): \(String(cString: strerror(errno)))")
    }
}
