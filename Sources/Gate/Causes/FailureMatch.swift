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
        Self.isSame(here, as: base, placedHere: { $0 }, placed: { placed($0) })
    }

    /// Whether a test failed here in the same way as on the base, and no more than there: each thing that failed it
    /// here is one of those of the base, and as often as there. A loop that fails for one element on the base
    /// and for ten here says ten times the same; one that fails for fewer may fail for another one.
    ///
    /// - Parameter ignoresNumbers: Whether numbers of five digits or more may differ. They may be what was computed.
    func isNoMore(_ here: FailureSample, than base: FailureSample, ignoresNumbers: Bool = false) -> Bool {
        guard here.count <= base.count, isSame(here, as: base) else { return false }
        var there: [Key: Int] = [:]
        for issue in base.issues {
            let key = Self.key(issue, base.outcome, keepsNumbers: !ignoresNumbers) { placed($0) }
            if let key { there[key, default: 0] += 1 }
        }
        var own: [Key: Int] = [:]
        for issue in here.issues {
            guard let key = Self.key(issue, here.outcome, keepsNumbers: !ignoresNumbers, placed: { $0 }) else {
                return false
            }
            own[key, default: 0] += 1
        }
        return own.allSatisfy { there[$0.key] == $0.value }
    }

    /// The same, so surely that a verdict may rest on it: with the same numbers, each thing at a known place, and with nothing left out.
    func isSurelyNoMore(_ here: FailureSample, than base: FailureSample) -> Bool {
        here.count == here.issues.count && here.issues.allSatisfy { $0.location != nil } && isNoMore(here, than: base)
    }

    /// Where a place of the base is now; `nil` for one that is no more, or of which nobody knows.
    private func placed(_ place: SourceLocation) -> SourceLocation? {
        guard let change = changes[Name(place.path)] else { return place }
        guard change.changes.count <= Self.mostChanges, (0...LineLimits.highest).contains(place.line),
            let path = change.path, let line = change.line(ofBase: place.line)
        else { return nil }
        return SourceLocation(path: path, line: line)
    }

    /// A place without its line: of a tree that nobody compared no more is known.
    static func withoutLine(_ place: SourceLocation) -> SourceLocation? { SourceLocation(path: place.path, line: 0) }

    /// Whether a test failed in the same way on a tree of which nobody knows how its lines differ: the files alone have to be the same.
    func isAlike(_ here: FailureSample, _ other: FailureSample) -> Bool {
        Self.isSame(here, as: other, placedHere: Self.withoutLine, placed: Self.withoutLine)
    }

    private static func isSame(
        _ here: FailureSample, as base: FailureSample, placedHere: (SourceLocation) -> SourceLocation?,
        placed: (SourceLocation) -> SourceLocation?
    ) -> Bool {
        guard here.outcome == base.outcome else { return false }
        // Of what was ended without a trace nobody can say where that was.
        if here.outcome != .failed, !here.issues.contains(where: tellsPlace) { return false }
        // What is not kept is not known to be the same, and what failed only here may be among it.
        let isWhole = here.issues.count == here.count && base.issues.count == base.count
        guard !here.issues.isEmpty, isWhole else { return false }
        var known: Set<Key> = []
        for issue in base.issues {
            if let own = key(issue, base.outcome, placed: placed) { known.insert(own) }
        }
        return here.issues.allSatisfy { issue in
            key(issue, here.outcome, placed: placedHere).map { known.contains($0) } ?? false
        }
    }

    /// What tells an issue from others; `nil` for one at a place that is no more.
    ///
    /// - Parameters:
    ///   - keepsNumbers: Whether long numbers count.
    ///   - placed: Where a place is now.
    private static func key(
        _ issue: Issue, _ outcome: Outcome, keepsNumbers: Bool = false, placed: (SourceLocation) -> SourceLocation?
    ) -> Key? {
        var place: SourceLocation?
        if let location = issue.location {
            guard let now = placed(location) else { return nil }
            place = now
        }
        var message = issue.message
        // How long a test was waited for says nothing; where it waited is in the lines below.
        if outcome == .timedOut, message.hasPrefix("it was ended") {
            message = message.firstIndex(of: "\n").map { String(message[$0...]) } ?? ""
        }
        return Key(
            text: Name(text(message, keepsNumbers: keepsNumbers, placed: placed)), argument: Name(issue.argument ?? ""),
            path: Name(text(place?.path ?? "")), line: place?.line ?? 0)
    }

    /// Whether an issue says where it was recorded, or which functions were running.
    private static func tellsPlace(_ issue: Issue) -> Bool {
        issue.location != nil || issue.message.contains("\n  in ")
    }

    // MARK: Texts

    /// A message without what is another in each execution or in each folder: addresses, identifiers, numbers of five digits or more,
    /// and the folders of absolute paths.
    ///
    /// - Parameters:
    ///   - keepsNumbers: Whether long numbers stay.
    ///   - placed: Where a place of a frame of a stack is now; line 0 for a frame whose line does not count.
    static func text(
        _ message: String, keepsNumbers: Bool = false,
        placed: (SourceLocation) -> SourceLocation? = FailureMatch.withoutLine
    ) -> String {
        var result: [UInt8] = []
        for line in message.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if !result.isEmpty { result.append(UInt8(ascii: "\n")) }
            let isFrame = line.starts(with: "  in ".utf8)
            append(isFrame ? frame(Array(line), placed: placed) : Array(line), to: &result, keepsNumbers: keepsNumbers)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A frame of a stack, such as `  in f() at Sources/K.swift:12:3`, at the line where it is now, and without its column where the line
    /// does not count: a line may call the same function twice. One whose line is no more is like none that says where it is.
    private static func frame(_ bytes: [UInt8], placed: (SourceLocation) -> SourceLocation?) -> [UInt8] {
        var bytes = bytes
        let numbers = takeNumbers(from: &bytes)
        guard let line = numbers.first, let mark = bytes.ranges(of: Array(" at ".utf8)).last else { return bytes }
        let path = String(decoding: bytes[mark.upperBound...], as: UTF8.self)
        guard let place = placed(SourceLocation(path: path, line: line)) else { return bytes + Array(":?".utf8) }
        var result = Array(bytes[..<mark.upperBound])
        result += Array(place.path.utf8)
        if place.line != 0 {
            for number in [place.line] + numbers.dropFirst() { result += Array(":\(number)".utf8) }
        }
        return result
    }

    /// Takes `:12:3` from the end; the numbers in their order.
    private static func takeNumbers(from bytes: inout [UInt8]) -> [Int] {
        var numbers: [Int] = []
        while let last = bytes.lastIndex(where: { !isDigit($0) }), last < bytes.count - 1,
            bytes[last] == UInt8(ascii: ":")
        {
            numbers.append(Int(String(decoding: bytes[(last + 1)...], as: UTF8.self)) ?? .max)
            bytes.removeSubrange(last...)
        }
        return numbers.reversed()
    }

    private static func append(_ bytes: [UInt8], to result: inout [UInt8], keepsNumbers: Bool) {
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if isIdentifier(rest) {
                result.append(UInt8(ascii: "#"))
                index += 36
            } else if rest.starts(with: "0x".utf8) {
                // A short one may have been computed; addresses are longer.
                let digits = rest.dropFirst(2).prefix(while: isHexadecimal)
                let isComputed = digits.count < 5 || keepsNumbers && digits.count <= 8
                result += "0x".utf8
                if isComputed { result += digits } else { result.append(UInt8(ascii: "#")) }
                index += 2 + digits.count
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
