import Evidence
import Foundation
import Gate
import TestRunning

/// The policy of a run, kept in its directory, so that judging it again tomorrow gives today's verdict.
enum PolicyFile {
    /// The policy as an artifact for the runner to keep.
    static func attachment(_ policy: Policy) throws -> Attachment {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Attachment(role: .policy, fileName: "policy.json", bytes: try encoder.encode(policy))
    }

    /// The policy kept in a run directory; the defaults for one that holds none.
    static func read(from directory: RunDirectory) throws -> Policy {
        guard let artifact = try directory.manifest().artifacts.first(where: { $0.role == .policy }) else {
            return Policy()
        }
        let bytes = try directory.bytes(of: artifact)
        do {
            return try JSONDecoder().decode(Policy.self, from: Data(bytes))
        } catch {
            throw Problem(.badInput, "\(directory.path)/policy.json is damaged: \(error)")
        }
    }
}
