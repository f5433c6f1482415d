import Foundation
public import Gate
public import RunModel
import Wording

/// The problems of a run as GitLab's Code Quality report, which a merge request shows at the lines of the change.
///
/// Source: docs.gitlab.com, "Code Quality report format", a subset of the Code Climate specification. Every entry
/// needs a file and a line, so what keeps a run from passing without having them is at the first line of the manifest.
public enum GitLabCodeQuality {
    private struct Entry: Encodable {
        struct Location: Encodable {
            struct Lines: Encodable {
                let begin: Int
                let end: Int
            }
            let path: String
            let lines: Lines
        }
        enum CodingKeys: String, CodingKey {
            case description, fingerprint, severity, location
            case checkName = "check_name"
        }
        let description: String
        let checkName: String
        let fingerprint: String
        let severity: String
        let location: Location
    }

    /// The report: a JSON array, empty if there are no problems.
    ///
    /// - Throws: Errors of the encoder, which do not occur for these values.
    public static func render(_ run: TestRun, _ verdict: Verdict, pathPrefix: String = "") throws -> String {
        // GitLab finds the new entries of a merge request by their fingerprints.
        var occurrences = Finding.Occurrences()
        let entries = Finding.all(run, verdict, pathPrefix: pathPrefix).compactMap { finding -> Entry? in
            guard let (path, lines) = finding.place(in: pathPrefix) else { return nil }
            return Entry(
                description: finding.sentence,
                checkName: "kanmon/\(finding.kind.rawValue)",
                fingerprint: occurrences.fingerprint(of: finding),
                severity: finding.kind.isError ? "critical" : "minor",
                location: Entry.Location(
                    path: path, lines: Entry.Location.Lines(begin: lines.lowerBound, end: lines.upperBound))
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(entries), as: UTF8.self) + "\n"
    }
}
