import Evidence
import RunModel

/// What the tests get to see of the environment, as digests: values may be secrets.
struct TestVariables: Sendable, Hashable {
    /// Of everything that may decide what a test does, such as `CI`, `TZ` and `LC_ALL`.
    let environment: String
    /// Of what says where things are on this machine, and whose it is.
    let places: String

    /// - Parameter variables: All that the tests get to see.
    init(_ variables: [String: String]) {
        var (environment, places): ([String], [String]) = ([], [])
        for (name, value) in variables.sorted(by: { Name($0.key) < Name($1.key) }) {
            // The name of this socket is new for every login; what a test can tell by it is that there is one.
            let entry = name == "SSH_AUTH_SOCK" ? name : "\(name)=\(value)"
            if Self.isPlace(name) { places.append(entry) } else { environment.append(entry) }
        }
        (self.environment, self.places) = (Self.digest(environment), Self.digest(places))
    }

    private static func isPlace(_ name: String) -> Bool {
        ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "SSH_AUTH_SOCK"].contains(name)
            || name.hasPrefix("XDG_") || name.hasPrefix("SWIFTLY_")
    }

    /// Separated by NUL, which neither a name nor a value can contain.
    private static func digest(_ entries: [String]) -> String {
        Digest.sha256(Array(entries.joined(separator: "\0").utf8))
    }
}
