/// A path or the name of a ref as git gives it: bytes, which need not be text.
public struct GitName: Sendable, Hashable, CustomStringConvertible {
    /// The name exactly.
    public let bytes: [UInt8]

    /// Takes a name as it is.
    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Takes a name from text.
    public init(_ text: String) {
        self.init(bytes: text.utf8)
    }

    /// The name as text; `nil` when it is not valid UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The name for people: control and formatting characters as `\u{…}`, invalid UTF-8 as `\xNN`.
    public var description: String {
        var shown = ""
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                shown += Self.shown(scalar)
                offset += UTF8.width(scalar)
            case .emptyInput:
                return shown
            case .error:
                // The decoder does not tell how many bytes it consumed: start again after the first invalid byte.
                shown += "\\x" + Self.hexadecimal(bytes[offset])
                offset += 1
                decoder = UTF8()
                iterator = Array(bytes[offset...]).makeIterator()
            }
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            // The zero-width joiner is part of emoji.
            scalar == "\u{200D}" ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
        default:
            scalar == "\\" ? "\\\\" : String(scalar)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

extension GitName {
    /// The part after a prefix; `nil` when it does not begin with it.
    func dropping(prefix: String) -> GitName? {
        bytes.starts(with: prefix.utf8) ? GitName(bytes: bytes.dropFirst(prefix.utf8.count)) : nil
    }

    /// The names in a list where each is ended by a NUL.
    static func list(_ output: [UInt8]) -> [GitName] {
        output.split(separator: 0).map { GitName(bytes: $0) }
    }
}
