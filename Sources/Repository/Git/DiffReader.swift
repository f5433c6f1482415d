import RunModel

/// One file of a diff, with the text of its removed and added lines.
struct FileDiff: Sendable, Hashable {
    /// One place where lines differ.
    struct Hunk: Sendable, Hashable {
        /// Where, on both sides.
        var lines: ChangedLines
        /// The removed lines, without line ends.
        var removed: [[UInt8]]
        /// The added lines.
        var added: [[UInt8]]
    }

    /// The path at the base; `nil` for a new file.
    var basePath: GitName?
    /// The path now; `nil` for a deleted file.
    var path: GitName?
    /// In ascending order.
    var hunks: [Hunk] = []
    /// Whether it is a link or a submodule now.
    var isPlace = false
    /// Unchanged lines whose context is another.
    var exposed: [Range<Int>] = []
}

/// Reads what `git diff --raw -z --patch --unified=0` prints: a list of files, whose names are exact, then their patches
/// in the same order.
///
/// Names are not taken from a patch, because git quotes them there and settings change their prefix. The lines of a
/// hunk are counted, so that no content is mistaken for a header.
struct DiffReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads all of it.
    mutating func read() throws(GitError) -> [FileDiff] {
        var files: [(file: FileDiff, sections: Int)] = []
        while offset < bytes.count, bytes[offset] == UInt8(ascii: ":") { files.append(try entry()) }
        if !files.isEmpty, offset < bytes.count {
            guard bytes[offset] == 0 else { throw fault("no end of the list of files") }
            offset += 1
        }
        var read: [FileDiff] = []
        for (file, sections) in files {
            var file = file
            for number in 0..<sections {
                let hunks = try section(of: file)
                // A change of type is written as a removal and an addition: a link that becomes a file is a new file.
                if number == sections - 1 { file.hunks = hunks }
            }
            read.append(file)
        }
        guard line(at: offset) == nil else { throw fault("a patch of no file") }
        return read
    }

    /// `:<mode> <mode> <object> <object> <status>NUL<path>NUL[<path>NUL]`.
    private mutating func entry() throws(GitError) -> (FileDiff, sections: Int) {
        let fields = try name().split(separator: UInt8(ascii: " "))
        guard fields.count == 5, let status = fields[4].first else { throw fault("an entry without a status") }
        let first = GitName(bytes: try name())
        let isPlace = fields[1].elementsEqual("120000".utf8) || fields[1].elementsEqual("160000".utf8)
        func file(_ base: GitName?, _ path: GitName?, _ sections: Int) -> (FileDiff, sections: Int) {
            (FileDiff(basePath: base, path: path, isPlace: isPlace), sections)
        }
        switch status {
        case UInt8(ascii: "A"): return file(nil, first, 1)
        case UInt8(ascii: "D"): return file(first, nil, 1)
        case UInt8(ascii: "M"): return file(first, first, 1)
        case UInt8(ascii: "T"): return file(nil, first, 2)
        case UInt8(ascii: "R"), UInt8(ascii: "C"): return file(first, GitName(bytes: try name()), 1)
        case UInt8(ascii: "U"): throw fault("\(first) has conflicts that are not resolved")
        default: throw fault("an unknown status")
        }
    }

    private mutating func name() throws(GitError) -> ArraySlice<UInt8> {
        guard let end = bytes[offset...].firstIndex(of: 0) else { throw fault("a name without its end") }
        defer { offset = end + 1 }
        return bytes[offset..<end]
    }

    /// `diff --git …`, further lines of the head, then hunks.
    private mutating func section(of file: FileDiff) throws(GitError) -> [FileDiff.Hunk] {
        guard let head = line(at: offset), head.starts(with: "diff --git ".utf8) else {
            throw fault("no patch for \((file.path ?? file.basePath)?.description ?? "a file")")
        }
        offset = head.endIndex + 1
        var hunks: [FileDiff.Hunk] = []
        while let line = line(at: offset), !line.starts(with: "diff --git ".utf8) {
            offset = line.endIndex + 1
            if line.starts(with: "@@ ".utf8) { hunks.append(try hunk(line)) }
        }
        return hunks
    }

    /// `@@ -<first>[,<count>] +<first>[,<count>] @@`, then as many lines; without lines, the first is the one before.
    private mutating func hunk(_ head: ArraySlice<UInt8>) throws(GitError) -> FileDiff.Hunk {
        let fields = head.split(separator: UInt8(ascii: " "), maxSplits: 3)
        guard fields.count >= 3, let base = Self.range(fields[1], UInt8(ascii: "-")),
            let target = Self.range(fields[2], UInt8(ascii: "+"))
        else { throw fault("a hunk without its lines") }
        return FileDiff.Hunk(
            lines: ChangedLines(base: base, head: target),
            removed: try content(base.count, UInt8(ascii: "-")), added: try content(target.count, UInt8(ascii: "+"))
        )
    }

    private static func range(_ field: ArraySlice<UInt8>, _ sign: UInt8) -> Range<Int>? {
        guard field.first == sign else { return nil }
        let parts = field.dropFirst().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let numbers = parts.map { Int(String(decoding: $0, as: UTF8.self)) }
        guard (1...2).contains(numbers.count), let first = numbers[0], first >= 0, first < 1 << 31 else { return nil }
        guard numbers.count == 2 else { return first..<first + 1 }
        guard let count = numbers[1], count >= 0, count < 1 << 31 else { return nil }
        return count == 0 ? first + 1..<first + 1 : first..<first + count
    }

    private mutating func content(_ count: Int, _ sign: UInt8) throws(GitError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for _ in 0..<count {
            guard let line = line(at: offset), line.first == sign else { throw fault("a hunk that is cut short") }
            lines.append(Array(line.dropFirst()))
            offset = line.endIndex + 1
        }
        // `\ No newline at end of file`
        if let line = line(at: offset), line.first == UInt8(ascii: "\\") { offset = line.endIndex + 1 }
        return lines
    }

    private func line(at offset: Int) -> ArraySlice<UInt8>? {
        guard offset < bytes.count else { return nil }
        return bytes[offset..<(bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex)]
    }

    private func fault(_ detail: String) -> GitError { .unexpectedOutput(command: "diff", detail: detail) }
}
