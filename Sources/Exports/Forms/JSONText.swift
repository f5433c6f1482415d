import Foundation
import Wording

/// JSON for programs: sorted keys, times in ISO 8601, durations as whole nanoseconds, no field for what is absent.
///
/// What a command prints and what the page with the same data answers have the same bytes, but for the envelope of the page.
/// Characters that control a terminal or are invisible are escaped, so that the text can be shown anywhere.
public enum JSONText {
    /// A value on one line, without a newline at its end.
    ///
    /// - Throws: Whatever the encoder throws, which is nothing as long as no number is infinite.
    public static func render(_ value: some Encodable) throws -> String {
        try render(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// A value over several lines, indented by two blanks, with a newline at its end: for reports, which people read and compare.
    static func document(_ value: some Encodable) throws -> String {
        try render(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]) + "\n"
    }

    private static func render(_ value: some Encodable, _ format: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = format
        encoder.dateEncodingStrategy = .iso8601
        return escapingInvisible(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// The encoder escapes what JSON requires. Characters that control a terminal or are invisible are escaped here;
    /// in JSON, text outside of ASCII occurs only inside of strings.
    private static func escapingInvisible(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 >= 0x7F }),
            json.unicodeScalars.contains(where: { $0.value >= 0x7F && $0.isUnseen })
        else { return json }
        var result = ""
        result.reserveCapacity(json.utf8.count + 64)
        for scalar in json.unicodeScalars {
            if scalar.value < 0x7F || !scalar.isUnseen {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }
}
