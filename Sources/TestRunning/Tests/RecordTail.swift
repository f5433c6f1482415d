import Foundation

/// Reads new lines of a file that another process writes.
struct RecordTail: Sendable {
    /// The file; it need not exist yet.
    let path: String
    private var offset: UInt64 = 0
    private var rest = Data()

    /// Longer than any record.
    private static let longestLine = 16 << 20

    init(path: String) { self.path = path }

    /// The complete lines since the last call. Errors are ignored; TestResults reads the file again.
    mutating func newLines() -> [Data] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? file.close() }
        guard (try? file.seek(toOffset: offset)) != nil,
            let bytes = try? file.read(upToCount: Self.longestLine), !bytes.isEmpty
        else { return [] }
        offset += UInt64(bytes.count)
        rest.append(bytes)
        guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else {
            if rest.count > Self.longestLine { rest = Data() }
            return []
        }
        let lines = rest[..<last].split(separator: UInt8(ascii: "\n")).map { Data($0) }
        rest = Data(rest[(last + 1)...])
        return lines
    }
}
