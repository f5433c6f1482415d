/// The files whose lines somebody wrote.
public enum AuthoredFiles: Sendable, Hashable {
    /// Those of a commit.
    case commit(ObjectID)
    /// Those in a folder that is the top of the tree, as they lie there: changed since the commit that is checked out.
    case folder(String)
}

extension GitRepository {
    /// Who changed lines of a file last, by the numbers of the lines. A line that is in no commit yet is missing, and one that was
    /// changed before the history of a shallow clone begins.
    ///
    /// - Parameters:
    ///   - lines: Counted from 1.
    ///   - path: Relative to the top of the repository.
    /// - Throws: `GitError.failed` if there is no such file, or it has fewer lines.
    public func authors(
        of lines: some Collection<Int>, in path: String, of files: AuthoredFiles
    ) async throws(GitError) -> [Int: String] {
        guard !lines.isEmpty else { return [:] }
        var arguments: [GitArgument] = ["--line-porcelain", "--no-textconv"]
        for line in lines { arguments += ["-L", "\(line),\(line)"] }
        switch files {
        case .commit(let commit): arguments.append(GitArgument(commit.hexadecimal))
        case .folder(let top): arguments += ["--contents", GitArgument("\(top)/\(path)")]
        }
        let answer = try await run("blame", arguments + ["--", GitArgument(path)], scope: .objects).checked("blame")
        let isCut = try await self.isShallow()
        return BlameReader.lines(answer.bytes).reduce(into: [:]) { authors, line in
            if line.isCommitted, !(line.isBoundary && isCut) { authors[line.number] = line.author }
        }
    }
}

/// Reads the output of `git blame --line-porcelain`.
enum BlameReader {
    /// A line of the file.
    struct Line: Hashable {
        var number: Int
        var isCommitted: Bool
        var author = ""
        /// Whether the history ends with its commit.
        var isBoundary = false
    }

    static func lines(_ output: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var line: Line?
        for text in output.split(separator: UInt8(ascii: "\n")) {
            if text.first == UInt8(ascii: "\t") {
                // The text of the line, which ends its record.
                if let line { lines.append(line) }
                line = nil
            } else if line != nil {
                if text.starts(with: "author ".utf8) {
                    line?.author = String(decoding: text.dropFirst("author ".utf8.count), as: UTF8.self)
                } else if text.elementsEqual("boundary".utf8) {
                    line?.isBoundary = true
                }
            } else {
                // `<commit> <line there> <line here> <count>`; of no commit all digits are 0.
                let fields = text.split(separator: UInt8(ascii: " "))
                guard fields.count >= 3, let number = Int(String(decoding: fields[2], as: UTF8.self)) else { continue }
                line = Line(number: number, isCommitted: fields[0].contains { $0 != UInt8(ascii: "0") })
            }
        }
        return lines
    }
}
