/// A value that JSON has as its text.
public protocol TextCodable: Codable, CustomStringConvertible {
    /// What the text has to be, with an article, for error messages: `a run id`.
    static var textKind: String { get }

    /// Reads a text; `nil` if it is not of this kind.
    init?(_ text: String)
}

extension TextCodable {
    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not \(Self.textKind)")
        }
        self = value
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
