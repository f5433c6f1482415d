import Foundation
public import RunModel

/// Reads new parts of a log that another process writes, by offset.
public struct LogTail: Sendable {
    /// The new part of a log.
    public struct Piece: Sendable, Hashable {
        /// Whole lines without their ends.
        public var lines: [[UInt8]] = []
        /// Whether they do not follow the previous piece: at the beginning, and in another log.
        public var isRestart = false
        /// How many bytes before them are skipped.
        public var skipped = 0

        /// Nothing.
        public init() {}
    }

    /// How many bytes are read at once; if more were written, the beginning is skipped.
    public static let most = 32 << 10
    /// The length after which a line is cut.
    static let longestLine = 4 << 10

    /// The current file; `nil` before the first.
    public private(set) var path: String?
    private var offset = 0

    /// Begins without a file.
    public init() {}

    /// The new part of a file since the last call; another file than before is read from near its end.
    public mutating func read(_ file: String?) -> Piece {
        var piece = Piece()
        guard let file else { return piece }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return piece }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return piece }
        let size = Int(status.st_size)
        if path != file || size < offset {
            path = file
            offset = 0
            piece.isRestart = true
        }
        let start = max(offset, size - Self.most)
        piece.skipped = start - offset
        var bytes = [UInt8](repeating: 0, count: size - start)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
        guard count > 0 else { return piece }
        var rest = bytes[..<count]
        offset = start
        // A partial line at the beginning is skipped.
        if piece.skipped > 0, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            piece.skipped += end + 1
            offset += end + 1
            rest = rest[(end + 1)...]
        }
        take(rest, into: &piece)
        return piece
    }

    /// Takes complete lines, and an incomplete line if it is too long.
    private mutating func take(_ bytes: ArraySlice<UInt8>, into piece: inout Piece) {
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            guard let end = end ?? (rest.count > Self.longestLine ? rest.endIndex : nil) else { return }
            piece.lines.append(Array(rest[..<end].prefix(Self.longestLine)))
            let next = min(end + 1, rest.endIndex)
            offset += next - rest.startIndex
            rest = rest[next...]
        }
    }
}

extension LiveRun {
    /// The current log: that of the last step that has one; `nil` for a run of another machine.
    public var log: String? {
        guard !folder.isEmpty else { return nil }
        var names = ["before.log", "build.log", "transcript.log"]
        var pass = 2
        while pass <= 99, access("\(folder)/pass-\(pass)/transcript.log", F_OK) == 0 {
            names.append("pass-\(pass)/transcript.log")
            pass += 1
        }
        names.append("after.log")
        return names.reversed().map { "\(folder)/\($0)" }.first { access($0, F_OK) == 0 }
    }
}
