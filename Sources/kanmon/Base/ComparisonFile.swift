import Evidence
import Foundation
import Gate
import RunModel
import TestRunning

/// What a run was held against, kept in its directory, so that it can be judged again without git and without the store.
enum ComparisonFile {
    /// The comparison as an artifact for the runner to keep.
    static func attachment(_ comparison: ChangeComparison) throws -> Attachment {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Attachment(role: .comparison, fileName: "comparison.json", bytes: try encoder.encode(comparison))
    }

    /// The comparison kept in a run directory; `nil` for a run that was not compared.
    static func read(from directory: RunDirectory) throws -> ChangeComparison? {
        guard let artifact = try directory.manifest().artifacts.first(where: { $0.role == .comparison }) else {
            return nil
        }
        let bytes = try directory.bytes(of: artifact)
        do {
            return try JSONDecoder().decode(ChangeComparison.self, from: Data(bytes))
        } catch {
            throw Problem(.badInput, "\(directory.path)/comparison.json is damaged: \(error)")
        }
    }
}
