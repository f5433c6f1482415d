import Evidence
import Foundation
import Gate
import TestRunning

/// What a run was held against, kept in its directory, so that the verdict can be given again without git and store.
enum BaselineFile {
    /// The baseline as an artifact for the runner to keep.
    static func attachment(_ baseline: Baseline) throws -> Attachment {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Attachment(role: .baseline, fileName: "baseline.json", bytes: try encoder.encode(baseline))
    }

    /// The baseline kept in a run directory; `nil` for one that holds none.
    static func read(from directory: RunDirectory) throws -> Baseline? {
        guard let artifact = try directory.manifest().artifacts.first(where: { $0.role == .baseline }) else {
            return nil
        }
        let bytes = try directory.bytes(of: artifact)
        do {
            return try JSONDecoder().decode(Baseline.self, from: Data(bytes))
        } catch {
            throw Problem(.badInput, "\(directory.path)/baseline.json is damaged: \(error)")
        }
    }
}
