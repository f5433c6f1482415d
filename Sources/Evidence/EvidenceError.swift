/// Why evidence could not be read or written: not what a run did, but that it cannot be found out.
public enum EvidenceError: Error, Sendable, Hashable {
    /// The folder has no manifest, so it is no complete run directory.
    case notARunDirectory(path: String)
    /// The run directory was written by a newer version.
    case newerManifest(path: String, version: Int, supported: Int)
    /// The manifest cannot be understood.
    case malformedManifest(path: String, line: Int?, reason: String)
    /// A run or report says of itself that it is of a time that cannot be.
    case implausibleTime(file: String, reason: String)
    /// A report is not what its format demands.
    case malformed(file: String, line: Int, column: Int, reason: String)
    /// A report ends before its end.
    case truncated(file: String, line: Int, reason: String)
    /// A file is larger, or holds more, than is accepted.
    case tooLarge(file: String, reason: String)
    /// A file is of no kind that can be ingested.
    case unknownFormat(file: String)
    /// A file does not match the checksum or size recorded for it, or is gone.
    case damaged(file: String, reason: String)
    /// The operating system refused to read.
    case unreadable(path: String, reason: String)
    /// The operating system refused to write.
    case unwritable(path: String, reason: String)
}

extension EvidenceError: CustomStringConvertible {
    /// A lower-case fragment that says what is wrong and where.
    public var description: String {
        switch self {
        case .notARunDirectory(let path):
            "\(path): no \(RunManifest.fileName) in this folder"
        case .newerManifest(let path, let version, let supported):
            "\(path): written in format \(version), this version reads up to \(supported)"
        case .malformedManifest(let path, let line, let reason):
            line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
        case .malformed(let file, let line, let column, let reason):
            "\(file):\(line):\(column): \(reason)"
        case .truncated(let file, let line, let reason):
            "\(file):\(line): ends too early: \(reason)"
        case .tooLarge(let file, let reason), .implausibleTime(let file, let reason):
            "\(file): \(reason)"
        case .unknownFormat(let file):
            "\(file): neither xUnit XML nor a Swift Testing event stream nor coverage of llvm-cov, Cobertura or LCOV"
        case .damaged(let file, let reason):
            "\(file): \(reason)"
        case .unreadable(let path, let reason):
            "read \(path): \(reason)"
        case .unwritable(let path, let reason):
            "write \(path): \(reason)"
        }
    }

    /// The same with a place in a run directory named relative to that, as its gaps do: a run reads the same wherever it lies.
    package func words(in directory: RunDirectory) -> String {
        let folder = "\(directory.path)/"
        guard description.utf8.starts(with: folder.utf8) else { return description }
        return String(decoding: description.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    }

    /// What to do about it, where that is known.
    public var hint: String? {
        switch self {
        case .notARunDirectory: "name the folder that holds \(RunManifest.fileName); a run that did not end has none"
        case .newerManifest: "use the version of kanmon that wrote it, or a newer one"
        case .malformedManifest, .damaged: "copy the run directory again from where it was recorded"
        case .implausibleTime:
            "set the clock of the machine that wrote it, or of this one; for a report, touch the file"
        case .malformed: "look at the place named; the runner that wrote the report may have left text unescaped"
        case .truncated: "let the runner finish writing; a crash of the tests cuts a report short"
        case .tooLarge: "split it into several runs"
        case .unknownFormat: "ingest a run directory, xUnit XML, an event stream, llvm-cov JSON, Cobertura or LCOV"
        case .unreadable, .unwritable: nil
        }
    }

    /// Whether the input is at fault, rather than the disk or the rights to it.
    public var isBadInput: Bool {
        switch self {
        case .unreadable, .unwritable: false
        default: true
        }
    }
}
