import Foundation
public import RunModel

/// Follows the end of a log that another process writes, by offset: nothing is read twice, and never more than a piece.
public struct LogTail: Sendable {
    /// What was added since the last time.
    public struct Piece: Sendable, Hashable {
        /// Whole lines without their ends.
        public var lines: [[UInt8]] = []
        /// Whether they follow nothing that was told before: at the beginning, and when the log became another.
        public var isRestart = false
        /// How many bytes before them are left out.
        public var skipped = 0

        /// Nothing.
        public init() {}
    }

    /// So much is read at once; when more was written, the beginning of it is left out.
    public static let most = 32 << 10
    /// A line is cut after so many bytes.
    static let longestLine = 4 << 10

    /// The file that is followed; `nil` before there is any.
    public private(set) var path: String?
    private var offset = 0

    /// Follows nothing yet.
    public init() {}

    /// What was written to a file since the last call; another file than the last time is read from its end.
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
        // What begins within a line is shown from the next one on.
        if piece.skipped > 0, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            piece.skipped += end + 1
            offset += end + 1
            rest = rest[(end + 1)...]
        }
        take(rest, into: &piece)
        return piece
    }

    /// Takes whole lines, and a line without an end when it is too long to wait for that.
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
    /// The log that is written now: of the last step that has one.
    public var log: String? {
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
