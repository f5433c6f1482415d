import RunModel

/// Compares how a test failed on two trees: another failure is not the same, however red both are.
struct FailureMatch {
    /// The changes by the path at the base.
    private let changes: [Name: FileChange]

    /// - Parameter changes: How files differ from the base; of files that are not among them every line is where it was.
    init(_ changes: [FileChange] = []) {
        self.changes = Dictionary(
            changes.compactMap { change in change.basePath.map { (Name($0), change) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// In a file with more changes than these, no line of the base is found again.
    private static let mostChanges = 1_000

    /// What tells an issue from others.
    private struct Key: Hashable {
        var text: Name
        var argument: Name
        var path: Name
        var line: Int
    }

    /// Whether everything that failed a test here failed it on the base, too: the same words, but for what is another in each execution,
    /// at the same place.
    func isSame(_ here: FailureSample, as base: FailureSample) -> Bool {
        isSame(here, as: base) { placed($0) }
    }

    /// The same, so surely that a verdict may rest on it: each thing that failed it here is one of those of the base, with the same numbers,
    /// at a known place, and no oftener than there. A loop that fails for one element on the base and for ten here says ten times the same.
    func isNoMore(_ here: FailureSample, than base: FailureSample) -> Bool {
        guard here.count == here.issues.count, isSame(here, as: base) else { return false }
        var left: [Key: Int] = [:]
        for issue in base.issues {
            guard let place = issue.location.flatMap({ placed($0) }) else { continue }
            left[Self.exactKey(issue, at: place), default: 0] += 1
        }
        for issue in here.issues {
            guard let location = issue.location else { return false }
            let key = Self.exactKey(issue, at: location)
            guard let count = left[key], count > 0 else { return false }
            left[key] = count - 1
        }
        return true
    }

    /// Where a place of the base is now; `nil` for one that is no more, or of which nobody knows.
    private func placed(_ place: SourceLocation) -> SourceLocation? {
        guard let change = changes[Name(place.path)] else { return place }
        guard change.changes.count <= Self.mostChanges, (0...LineLimits.highest).contains(place.line),
            let path = change.path, let line = change.line(ofBase: place.line)
        else { return nil }
        return SourceLocation(path: path, line: line)
    }

    /// The same of a tree of which nobody knows how its lines differ: the file alone has to be the same.
    func isAlike(_ here: FailureSample, _ other: FailureSample) -> Bool {
        func withoutLines(_ sample: FailureSample) -> FailureSample {
            var sample = sample
            for index in sample.issues.indices {
                sample.issues[index].location = sample.issues[index].location.map {
                    SourceLocation(path: $0.path, line: 0)
                }
            }
            return sample
        }
        return isSame(withoutLines(here), as: withoutLines(other)) { $0 }
    }

    private func isSame(
        _ here: FailureSample, as base: FailureSample, placed: (SourceLocation) -> SourceLocation?
    ) -> Bool {
        guard here.outcome == base.outcome else { return false }
        // Of what was ended without a trace nobody can say where that was.
        if here.outcome != .failed, !here.issues.contains(where: Self.tellsPlace) { return false }
        // What is not kept is not known to be the same.
        let isWhole = here.issues.count == here.count && base.issues.count == base.count
        guard !here.issues.isEmpty, isWhole || here.count == base.count else { return false }
        var known: Set<Key> = []
        for issue in base.issues {
            guard let location = issue.location else {
                known.insert(Self.key(issue, at: nil, base.outcome))
                continue
            }
            if let place = placed(location) { known.insert(Self.key(issue, at: place, base.outcome)) }
        }
        return here.issues.allSatisfy { known.contains(Self.key($0, at: $0.location, here.outcome)) }
    }

    private static func key(_ issue: Issue, at place: SourceLocation?, _ outcome: Outcome) -> Key {
        var message = issue.message
        // How long a test was waited for says nothing; where it waited stands in the lines below.
        if outcome == .timedOut, message.hasPrefix("it was ended") {
            message = message.firstIndex(of: "\n").map { String(message[$0...]) } ?? ""
        }
        return Key(
            text: Name(text(message)), argument: Name(issue.argument ?? ""),
            path: Name(text(place?.path ?? "")), line: place?.line ?? 0)
    }

    /// The key with all numbers: they may be what was computed.
    private static func exactKey(_ issue: Issue, at place: SourceLocation) -> Key {
        Key(
            text: Name(text(issue.message, keepsNumbers: true)), argument: Name(issue.argument ?? ""),
            path: Name(text(place.path)), line: place.line)
    }

    /// Whether an issue says where it was recorded, or which functions were running.
    private static func tellsPlace(_ issue: Issue) -> Bool {
        issue.location != nil || issue.message.contains("\n  in ")
    }

    // MARK: Texts

    /// A message without what is another in each execution or in each folder: addresses, identifiers, numbers of five digits or more,
    /// the folders of absolute paths, and the lines of frames of a stack.
    ///
    /// - Parameter keepsNumbers: Whether long numbers stay.
    static func text(_ message: String, keepsNumbers: Bool = false) -> String {
        var result: [UInt8] = []
        for line in message.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if !result.isEmpty { result.append(UInt8(ascii: "\n")) }
            var bytes = Array(line)
            if bytes.starts(with: "  in ".utf8) { dropLines(at: &bytes) }
            append(bytes, to: &result, keepsNumbers: keepsNumbers)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Removes `:12:3` at the end.
    private static func dropLines(at bytes: inout [UInt8]) {
        while let last = bytes.lastIndex(where: { !isDigit($0) }), last < bytes.count - 1,
            bytes[last] == UInt8(ascii: ":")
        {
            bytes.removeSubrange(last...)
        }
    }

    private static func append(_ bytes: [UInt8], to result: inout [UInt8], keepsNumbers: Bool) {
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if isIdentifier(rest) {
                result.append(UInt8(ascii: "#"))
                index += 36
            } else if rest.starts(with: "0x".utf8) {
                let digits = rest.dropFirst(2).prefix(while: isHexadecimal).count
                result += "0x".utf8
                if digits > 0 { result.append(UInt8(ascii: "#")) }
                index += 2 + digits
            } else if isDigit(bytes[index]) {
                let digits = rest.prefix(while: isDigit)
                if digits.count >= 5, !keepsNumbers { result.append(UInt8(ascii: "#")) } else { result += digits }
                index += digits.count
            } else if bytes[index] == UInt8(ascii: "/"), index == 0 || isBoundary(bytes[index - 1]) {
                let path = rest.prefix { !isBoundary($0) }
                result += path.split(separator: UInt8(ascii: "/")).last ?? []
                index += path.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// What stands around a path.
    private static func isBoundary(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'`()[]<>,:;=".utf8.contains(byte) }

    /// Whether it begins with a UUID.
    private static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
        let bytes = bytes.prefix(36)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { offset, byte in
            [8, 13, 18, 23].contains(offset) ? byte == UInt8(ascii: "-") : isHexadecimal(byte)
        }
    }
}
