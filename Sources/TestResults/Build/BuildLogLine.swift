package import RunModel

/// A line of a build's output that says something of an error.
package enum BuildLogLine {
    /// An error with the place in front of it, if there is one.
    case error(message: String, place: SourceLocation?)
    /// Where the macro was written whose expansion had an error.
    case origin(SourceLocation)

    /// A message of more bytes than this is cut.
    static let longestMessage = 4096

    /// Reads a line; `nil` for progress, excerpts, warnings and notes.
    init?(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        if bytes.starts(with: "`- ".utf8) {
            let text = String(decoding: bytes.prefix(64 << 10).dropFirst(3), as: UTF8.self)
            guard let range = text.firstRange(ofBytes: ": note: expanded code originates here"),
                let place = Self.place(text[..<range.lowerBound])
            else { return nil }
            self = .origin(place)
            return
        }
        guard !Self.isExcerpt(bytes) else { return nil }
        let text = String(decoding: bytes.prefix(64 << 10), as: UTF8.self)
        if text.utf8.starts(with: "error: ".utf8) {
            self = .error(message: Self.message(text.dropFirst("error: ".count)), place: nil)
        } else if let found = Self.firstSeverity(in: text) {
            guard found.isError else { return nil }
            let front = text[..<found.range.lowerBound]
            let message = text[found.range.upperBound...]
            if let place = Self.place(front) {
                self = .error(message: Self.message(message), place: place)
            } else {
                self = .error(message: Self.message(Substring("\(front): \(message)")), place: nil)
            }
        } else if let range = text.firstRange(ofBytes: "undefined reference to ") {
            // The classic linkers put no severity in front of it.
            self = .error(message: Self.message(text[range.lowerBound...]), place: nil)
        } else {
            return nil
        }
    }

    /// Whether an error only follows from others, which the log has told before or after it.
    package static func isConsequence(_ message: String) -> Bool {
        message == "fatalError" || message == "Build failed"
            // Swift Build's word on a step, whose own errors it has told.
            || message.firstRange(ofBytes: " failed with a nonzero exit code. Command line:") != nil
            || message.hasSuffix("(use -v to see invocation)")
            || message.hasSuffix(": Invalid manifest")
    }

    /// Whether the line belongs to the compiler's excerpt of the source: `12 | …`, `   | …`, `   +--- …`.
    private static func isExcerpt(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let rest = bytes.drop { $0 == UInt8(ascii: " ") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let first = rest.first else { return true }
        if first == UInt8(ascii: "|") { return true }
        return rest.startIndex > bytes.startIndex && (first == UInt8(ascii: "`") || first == UInt8(ascii: "+"))
    }

    private static func firstSeverity(in text: String) -> (range: Range<String.Index>, isError: Bool)? {
        let severities = [
            (": error: ", true), (": fatal error: ", true), (": warning: ", false), (": note: ", false),
            (": remark: ", false),
        ]
        return severities.compactMap { word, isError in text.firstRange(ofBytes: word).map { ($0, isError) } }
            .min { $0.0.lowerBound < $1.0.lowerBound }
    }

    /// Reads `path:line:column` or `path:line`; a path may hold colons of its own.
    private static func place(_ text: Substring) -> SourceLocation? {
        var path = text
        var numbers: [Int] = []
        while numbers.count < 2, let colon = path.utf8.lastIndex(of: UInt8(ascii: ":")) {
            let digits = path[path.utf8.index(after: colon)...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits)
            else { break }
            numbers.insert(number, at: 0)
            path = path[..<colon]
        }
        guard let line = numbers.first, line > 0, !path.isEmpty else { return nil }
        return SourceLocation(path: String(path), line: line, column: numbers.count == 2 ? numbers[1] : nil)
    }

    private static func message(_ line: Substring) -> String {
        let text = String(line.utf8.last == UInt8(ascii: "\r") ? Substring(line.utf8.dropLast()) : line)
        // The package manager repeats its whole command line, temporary folders and all.
        if let range = text.firstRange(ofBytes: " (compiled with: [") { return String(text[..<range.lowerBound]) }
        guard text.utf8.count > longestMessage else { return text }
        return String(decoding: text.utf8.prefix(longestMessage), as: UTF8.self) + "…"
    }
}
