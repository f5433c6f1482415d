/// Removes credentials from settings, arguments, addresses and messages before they are stored or shown.
///
/// The output of tests and builds is not redacted.
public enum Redaction {
    /// The replacement for a credential.
    public static let mark = "***"

    /// The text without credentials at known places: before the host of an address (`https://user:token@host`), after
    /// a name such as `API_TOKEN=…`, `--password=…` or `?token=…`, and in a header such as `Authorization: …` or
    /// `PRIVATE-TOKEN: …`.
    public static func clean(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: ":")) || bytes.contains(UInt8(ascii: "=")) else { return text }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            kept.append(byte)
            position += 1
            let secret: Range<Int>? =
                switch byte {
                case UInt8(ascii: "/"): userInfo(bytes, at: position)
                case UInt8(ascii: "="):
                    isSecret(name(in: bytes, before: position - 1)) ? value(bytes, at: position) : nil
                case UInt8(ascii: ":"):
                    isHeader(name(in: bytes, before: position - 1)) ? headerValue(bytes, at: position) : nil
                default: nil
                }
            guard let secret, !secret.isEmpty else { continue }
            kept += bytes[position..<secret.lowerBound]
            kept += Array(mark.utf8)
            position = secret.upperBound
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// The words of a command without credentials: each word is redacted, and so is the word after an option such as
    /// `--token`.
    public static func clean(words: [String]) -> [String] {
        var isValue = false
        return words.map { word in
            defer { isValue = word.hasPrefix("-") && !word.contains("=") && isSecret(word.utf8[...]) }
            return isValue ? mark : clean(word)
        }
    }

    /// `NAME=value` without its value; a name alone is unchanged.
    public static func clean(variable entry: String) -> String {
        entry.utf8.firstIndex(of: UInt8(ascii: "=")).map { "\(entry[..<$0])=\(mark)" } ?? entry
    }

    /// The part before the last `@` of an address whose `//` ends at `start`; the user name of ssh alone is no
    /// credential.
    private static func userInfo(_ bytes: [UInt8], at start: Int) -> Range<Int>? {
        guard start >= 3, bytes[start - 2] == UInt8(ascii: "/"), bytes[start - 3] == UInt8(ascii: ":") else {
            return nil
        }
        let end = bytes[start...].firstIndex { $0 <= 0x20 || ends.contains($0) } ?? bytes.count
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let isSSH = name(in: bytes, before: start - 3).suffix(3).elementsEqual("ssh".utf8)
        return isSSH && !bytes[start..<at].contains(UInt8(ascii: ":")) ? nil : start..<at
    }

    /// The characters that end the host of an address.
    private static let ends = Set("/?#\"'`<>\\()[]{}|,;".utf8)

    /// The value after `=`: up to the next space, quote or `&`; a quoted value up to its closing quote.
    private static func value(_ bytes: [UInt8], at start: Int) -> Range<Int>? {
        guard let first = bytes[start...].first else { return nil }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            let end = bytes[(start + 1)...].firstIndex(of: first) ?? bytes.count
            return start + 1..<end
        }
        let end = bytes[start...].firstIndex { $0 <= 0x20 || $0 == 0x22 || $0 == 0x27 || $0 == UInt8(ascii: "&") }
        return start..<(end ?? bytes.count)
    }

    /// The value of a header: up to the end of the line or of the quotes around it.
    private static func headerValue(_ bytes: [UInt8], at start: Int) -> Range<Int>? {
        let begin = bytes[start...].firstIndex { $0 != 0x20 } ?? bytes.count
        let end = bytes[begin...].firstIndex { $0 == 0x0A || $0 == 0x0D || $0 == 0x22 || $0 == 0x27 } ?? bytes.count
        return begin..<end
    }

    /// The letters, digits, `_`, `-` and `.` before a place.
    private static func name(in bytes: [UInt8], before end: Int) -> ArraySlice<UInt8> {
        var start = end
        while start > 0 {
            let byte = bytes[start - 1]
            guard isLetter(byte) || isDigit(byte) || byte == 0x5F || byte == 0x2D || byte == 0x2E else { break }
            start -= 1
        }
        return bytes[start..<end]
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// What names of credentials contain, in capital letters.
    private static let secrets = [
        "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY", "ACCESSKEY", "PRIVATEKEY",
    ].map { Array($0.utf8) }
    /// The length of the shortest of them.
    private static let shortest = 5

    /// Whether the value of this name is a credential.
    ///
    /// It is called for every equals sign of a text that may have millions, so it looks at bytes.
    private static func isSecret(_ name: some Collection<UInt8>) -> Bool {
        guard name.count >= shortest else { return false }
        let plain = name.lazy.filter { isLetter($0) || isDigit($0) }.map { isLetter($0) ? $0 & 0xDF : $0 }
        let letters = Array(plain)
        return secrets.contains { contains(letters, $0) }
    }

    private static func contains(_ letters: [UInt8], _ word: [UInt8]) -> Bool {
        guard letters.count >= word.count else { return false }
        return (0...letters.count - word.count).contains { start in
            letters[start] == word[0] && letters[start..<start + word.count].elementsEqual(word)
        }
    }

    private static let authorization = Array("AUTHORIZATION".utf8)

    /// Whether a name is that of a header with a credential; the word "token" in a sentence is not.
    private static func isHeader(_ name: ArraySlice<UInt8>) -> Bool {
        let end = name.suffix(authorization.count).map { isLetter($0) ? $0 & 0xDF : $0 }
        return end == authorization || name.contains(0x2D) && isSecret(name)
    }
}
