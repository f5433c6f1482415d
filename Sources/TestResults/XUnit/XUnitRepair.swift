import Evidence

/// Makes well-formed what SwiftPM's two xUnit writers leave malformed, and says what it did.
///
/// The writer of Swift Testing puts names into attributes as they are (fixed upstream by swift-testing pull request 1918),
/// and both writers let control characters through (swift-testing issue 1917, open). This may go when the oldest
/// supported toolchain has both.
enum XUnitRepair {
    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// Whether a file begins as both writers of SwiftPM begin theirs, and no other writer does.
    static func isOfSwiftPM(_ bytes: some Collection<UInt8>) -> Bool {
        let start = bytes.prefix(200).split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0.drop { $0 == 0x20 }, as: UTF8.self) }
        return start.starts(with: [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"])
            && start.dropFirst(2).first?.hasPrefix(#"<testsuite name="TestResults" errors="0" tests=""#) == true
    }

    /// The repaired bytes and one phrase for each kind of repair; `nil` when there is nothing to repair.
    static func repair(_ document: LentBytes) -> (bytes: [UInt8], repairs: [String])? {
        var result: [UInt8] = []
        result.reserveCapacity(document.bytes.count + 256)
        var names = 0
        var characters = 0
        document.forEachLine { line, hasNewline in
            if let repaired = caseTag(line.bytes[...]) {
                names += 1
                repaired.withUnsafeBufferPointer { append($0[...], to: &result, &characters) }
            } else {
                append(line.bytes[...], to: &result, &characters)
            }
            if hasNewline { result.append(UInt8(ascii: "\n")) }
        }
        var repairs: [String] = []
        if names > 0 { repairs.append(names == 1 ? "1 name was not escaped" : "\(names) names were not escaped") }
        if characters > 0 {
            repairs.append(
                characters == 1
                    ? "1 character that XML forbids was replaced"
                    : "\(characters) characters that XML forbids were replaced"
            )
        }
        return repairs.isEmpty ? nil : (result, repairs)
    }

    // MARK: Names

    private static let opening = Array("<testcase classname=\"".utf8)
    private static let middle = Array("\" name=\"".utf8)
    private static let time = Array("\" time=\"".utf8)

    /// A `<testcase>` tag of SwiftPM whose names break it, written again; `nil` when the tag is as it should be.
    private static func caseTag(_ line: Line) -> [UInt8]? {
        let indent = line.prefix { $0 == 0x20 }
        let tag = line.dropFirst(indent.count)
        guard tag.starts(with: opening), tag.last == UInt8(ascii: ">") else { return nil }
        var inner = tag.dropFirst(opening.count).dropLast()
        var ending: [UInt8] = [UInt8(ascii: ">")]
        while let byte = inner.last, byte == UInt8(ascii: "/") || byte == 0x20 {
            ending.insert(byte, at: 0)
            inner = inner.dropLast()
        }
        guard inner.last == UInt8(ascii: "\"") else { return nil }
        inner = inner.dropLast()
        ending.insert(UInt8(ascii: "\""), at: 0)
        if let place = inner.lastRange(of: time), inner[place.upperBound...].allSatisfy(isNumeral) {
            ending.insert(contentsOf: inner[place.lowerBound...], at: 0)
            inner = inner[..<place.lowerBound]
        }
        guard let place = inner.firstRange(of: middle) else { return nil }
        let className = inner[..<place.lowerBound]
        let name = inner[place.upperBound...]
        guard isBroken(className) || isBroken(name) else { return nil }
        var result = Array(indent)
        for part in [opening, escaped(className), middle, escaped(name), ending] { result += part }
        return result
    }

    private static func isNumeral(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".eE+-".utf8.contains(byte)
    }

    private static func isBroken(_ value: Line) -> Bool {
        value.indices.contains { index in
            switch value[index] {
            case UInt8(ascii: "<"), UInt8(ascii: "\""): true
            case UInt8(ascii: "&"): !isReference(value[index...])
            default: false
            }
        }
    }

    private static func isReference(_ text: Line) -> Bool {
        guard let end = text.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return false }
        let name = String(decoding: text[text.index(after: text.startIndex)..<end], as: UTF8.self)
        return ["amp", "lt", "gt", "quot", "apos"].contains(name) || name.hasPrefix("#")
    }

    private static func escaped(_ value: Line) -> [UInt8] {
        guard isBroken(value) else { return Array(value) }
        return value.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            default: [byte]
            }
        }
    }

    // MARK: Characters

    private static let replacement = Array("\u{FFFD}".utf8)

    /// Copies text; every character that XML cannot hold, written as itself or as a reference, becomes U+FFFD.
    private static func append(
        _ line: Line, to result: inout [UInt8], _ count: inout Int
    ) {
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            var length = 0
            if byte < 0x20, byte != 0x09, byte != 0x0D {
                length = 1
            } else if byte == 0xEF, index + 2 < line.endIndex, line[index + 1] == 0xBF, line[index + 2] >= 0xBE {
                length = 3
            } else if byte == UInt8(ascii: "&") {
                length = forbiddenReference(line[index...])
            }
            if length > 0 {
                result += replacement
                count += 1
                index += length
            } else {
                result.append(byte)
                index += 1
            }
        }
    }

    /// The length of a numeric reference to a character that XML forbids; 0 for anything else.
    private static func forbiddenReference(_ text: Line) -> Int {
        guard text.starts(with: Array("&#".utf8)), let end = text.prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            return 0
        }
        let digits = String(decoding: text[(text.startIndex + 2)..<end], as: UTF8.self)
        let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        switch value ?? 0 {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return 0
        default: return end - text.startIndex + 1
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
        guard count >= other.count else { return nil }
        for start in startIndex...(endIndex - other.count) where self[start...].starts(with: other) {
            return start..<start + other.count
        }
        return nil
    }

    fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? {
        guard count >= other.count else { return nil }
        for start in (startIndex...(endIndex - other.count)).reversed() where self[start...].starts(with: other) {
            return start..<start + other.count
        }
        return nil
    }
}
