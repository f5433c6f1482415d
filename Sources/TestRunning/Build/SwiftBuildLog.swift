import Foundation
import TestResults

/// What a failed build by Swift Build printed, as far as it tells whose fault it is.
struct SwiftBuildLog: Sendable, Hashable {
    /// The fault of Swift Build itself, in its own words; `nil` where the log names an error of a source or of the package.
    let failure: String?

    /// What it says where it comes to its own limits: SwiftPM's own build system builds such a package.
    private static let ownFaults = [
        "unexpected service error", "internal error", "Could not compute dependency graph",
        "unable to resolve product type",
        "Multiple commands produce",
    ]

    /// Reads the output of the build.
    init(_ text: String) {
        var errors: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let range = line.range(of: "error: ") else { continue }
            let message = String(line[range.upperBound...])
            if !BuildLogLine.isConsequence(message) { errors.append(message) }
        }
        guard let first = errors.first else {
            failure = "Swift Build failed without naming an error"
            return
        }
        // A source may say the same words, so that only one that stands alone is its own.
        let isOwn = errors.allSatisfy { error in
            Self.ownFaults.contains { error.range(of: $0, options: [.caseInsensitive, .anchored]) != nil }
        }
        failure = isOwn ? "Swift Build says: \(first.prefix(500))" : nil
    }
}
