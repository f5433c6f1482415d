public import Foundation

extension JSONEncoder {
    /// Writes what is kept in a file or sent to another program, always in the same way: sorted keys, times in ISO 8601.
    public static var steady: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    /// The same over several lines, for files that people read.
    public static var steadyLines: JSONEncoder {
        let encoder = steady
        encoder.outputFormatting.insert(.prettyPrinted)
        return encoder
    }
}

extension JSONDecoder {
    /// Reads what `JSONEncoder.steady` writes.
    public static var steady: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
