/// The names of the fields of a form, as they are in its JSON.
///
/// They are what the form asks for when it is read from JSON, so that a description made of them cannot name a field that the form
/// does not have, and leaves none out.
public enum FieldNames {
    /// The fields in the order of their declaration; one that may be left out ends with `?`.
    ///
    /// The list ends behind a field whose type takes not just any text or number, such as an enumeration: forms have texts there.
    public static func of<Form: Decodable>(_ form: Form.Type) -> [String] {
        let log = FieldLog()
        // There is nothing to read: what comes of it is of no use, and neither is why it ended.
        _ = try? Form(from: FieldReader(log: log))
        return log.names
    }
}

/// The fields that were requested.
private final class FieldLog {
    var names: [String] = []
}

/// Gives every value that a type must have as an empty one, and none that it may have.
private struct FieldReader: Decoder {
    /// Where fields are noted; `nil` inside of a field.
    let log: FieldLog?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(BlankObject<Key>(log: log))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { BlankList() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { BlankValue() }
}

/// An empty text, number or truth value; `nil` for any other type.
private func blank<Value>(_ type: Value.Type) -> Value? {
    let values: [Any] = ["", false, 0, 0.0, Int32(0), Int64(0), UInt64(0)]
    return values.lazy.compactMap { $0 as? Value }.first
}

private struct BlankObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let log: FieldLog?

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    /// Asked of what may be left out only.
    func contains(_ key: Key) -> Bool {
        log?.names.append(key.stringValue + "?")
        return false
    }

    func decodeNil(forKey key: Key) throws -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        log?.names.append(key.stringValue)
        return try blank(type) ?? Value(from: FieldReader(log: nil))
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        KeyedDecodingContainer(BlankObject<Inner>(log: nil))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { BlankList() }

    func superDecoder() throws -> any Decoder { FieldReader(log: nil) }

    func superDecoder(forKey key: Key) throws -> any Decoder { FieldReader(log: nil) }
}

private struct BlankList: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    mutating func decodeNil() throws -> Bool { true }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw NothingThere() }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw NothingThere()
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NothingThere() }

    mutating func superDecoder() throws -> any Decoder { throw NothingThere() }
}

private struct BlankValue: SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = blank(type) else { throw NothingThere() }
        return value
    }
}

private struct NothingThere: Error {}
