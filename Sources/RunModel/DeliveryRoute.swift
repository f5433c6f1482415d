/// A call of a machine to a server. Its method and path are declared once, for the client, the server and the OpenAPI document.
public enum DeliveryRoute: Sendable, Hashable {
    /// Asks what a token may do.
    case identity
    /// Asks for a verdict.
    case verdict
    /// Offers a run, by its id.
    case run(String)
    /// Sends a file of a run, by its SHA-256.
    case blob(String)
    /// Reports the progress of a run, by its id.
    case progress(String)

    /// The beginning of every path.
    public static let prefix = "/api/v1/"

    /// Reads a path; `nil` if there is no such call.
    public init?(path: String) {
        guard path.hasPrefix(Self.prefix) else { return nil }
        let steps = path.utf8.dropFirst(Self.prefix.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        switch (steps.first, steps.count) {
        case ("whoami", 1): self = .identity
        case ("verdicts", 1): self = .verdict
        case ("runs", 2): self = .run(steps[1])
        case ("blobs", 2): self = .blob(steps[1])
        case ("live", 2): self = .progress(steps[1])
        default: return nil
        }
    }

    /// The path.
    public var path: String {
        let steps =
            switch self {
            case .identity: "whoami"
            case .verdict: "verdicts"
            case .run(let id): "runs/\(id)"
            case .blob(let sha256): "blobs/\(sha256)"
            case .progress(let id): "live/\(id)"
            }
        return Self.prefix + steps
    }

    /// The only method: `GET` or `PUT`.
    public var method: String {
        switch self {
        case .identity, .verdict: "GET"
        case .run, .blob, .progress: "PUT"
        }
    }
}
