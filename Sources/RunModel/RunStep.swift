/// How a child process ended.
public enum Termination: Sendable, Hashable, Codable {
    /// It exited with a status.
    case exited(Int32)
    /// A signal ended it.
    case signaled(Int32)

    /// Whether it exited with 0.
    public var isSuccess: Bool { self == .exited(0) }
}

extension Termination {
    private enum CodingKeys: String, CodingKey { case exited, signaled }

    /// Reads `{"exited": status}` or `{"signaled": number}`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let signal = try container.decodeIfPresent(Int32.self, forKey: .signaled) {
            self = .signaled(signal)
        } else {
            self = .exited(try container.decode(Int32.self, forKey: .exited))
        }
    }

    /// Writes `{"exited": status}` or `{"signaled": number}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .exited(let status): try container.encode(status, forKey: .exited)
        case .signaled(let signal): try container.encode(signal, forKey: .signaled)
        }
    }
}

/// One step of a run: a child process, how long it took and how it ended.
public struct RunStep: Sendable, Hashable, Codable {
    /// What the step is for.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case describe, before, build, list, test, map, merge, export, inventory, demangle, after
    }

    /// What the step is for.
    public var kind: Kind
    /// The program and its arguments.
    public var arguments: [String]
    /// How long it took.
    public var duration: Duration
    /// How it ended.
    public var termination: Termination
    /// Whether Kanmon ended it because of a time limit.
    public var wasTimedOut: Bool

    package init(
        kind: Kind,
        arguments: [String],
        duration: Duration,
        termination: Termination,
        wasTimedOut: Bool = false
    ) {
        self.kind = kind
        self.arguments = arguments
        self.duration = duration
        self.termination = termination
        self.wasTimedOut = wasTimedOut
    }
}

/// A message of the compiler.
public struct BuildDiagnostic: Sendable, Hashable, Codable {
    /// The severity.
    public enum Severity: String, Sendable, Hashable, Codable { case error, warning }

    /// The severity.
    public var severity: Severity
    /// The message; untrusted text.
    public var message: String
    /// Where; `nil` for errors of the linker or the manifest.
    public var location: SourceLocation?

    package init(severity: Severity, message: String, location: SourceLocation? = nil) {
        (self.severity, self.message, self.location) = (severity, message, location)
    }
}
