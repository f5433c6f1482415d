import RunModel

/// The fields of a form that was sent (`application/x-www-form-urlencoded`).
public struct FormFields: Sendable, Hashable {
    private var values: [Name: String] = [:]

    /// Reads a form; `nil` for one that is not percent-encoded UTF-8, and for one with a field twice.
    public init?(_ bytes: some Sequence<UInt8>) {
        guard let text = String(validating: Array(bytes), as: UTF8.self) else { return nil }
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = Substring(pair).halves(at: "=")
            guard let name = PercentEncoding.decode(sides.before),
                let value = PercentEncoding.decode(sides.behind ?? ""),
                values.updateValue(value, forKey: Name(name)) == nil
            else { return nil }
        }
    }

    /// The value of a field; `nil` if there is none.
    public subscript(name: String) -> String? { values[Name(name)] }
}
