import Foundation
import RunModel

/// Messages of `llvm-profdata` and `llvm-cov` about damage.
enum CoverageComplaints {
    /// A gap for every profile that was left out: `warning: <path>: <reason>`.
    static func gaps(in output: String) -> [Gap] {
        output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("warning: "), line.contains(".profraw: ") else { return nil }
            let parts = line.dropFirst("warning: ".count).split(separator: ": ", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return Gap(
                .profileDamaged, subject: (String(parts[0]) as NSString).lastPathComponent, detail: String(parts[1])
            )
        }
    }

    /// The first non-empty line, for a detail.
    static func summary(_ output: String, _ termination: Termination) -> String {
        output.split(separator: "\n").first.map(String.init) ?? "\(termination)"
    }
}
