/// A place in the file of settings.
public struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The file as the caller named it.
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// Counted from 1 in Unicode scalars.
    public let column: Int

    package init(file: String, line: Int, column: Int) { (self.file, self.line, self.column) = (file, line, column) }

    /// `file:line:column`, the form that terminals and editors turn into a link.
    public var description: String { "\(file):\(line):\(column)" }
}

/// Where a value came from; each outranks those before it.
public enum Origin: Sendable, Hashable, CustomStringConvertible {
    /// Nobody set it.
    case builtIn
    /// The file of settings.
    case file(Place)
    /// An environment variable.
    case environment(String)
    /// A flag on the command line.
    case flag(String)

    /// The words that `config show` prints.
    public var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let place): place.description
        case .environment(let name): "environment \(name)"
        case .flag(let name): "flag \(name)"
        }
    }
}

/// A value and where it came from.
public struct Setting<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    public var value: Value
    /// Where it came from.
    public var origin: Origin

    /// Makes a setting; without an origin it is a default.
    public init(_ value: Value, from origin: Origin = .builtIn) { (self.value, self.origin) = (value, origin) }
}
