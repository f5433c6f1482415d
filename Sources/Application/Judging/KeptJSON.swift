import CodeCoverage
package import Evidence
import Foundation
package import Gate
package import RunModel
import TestRunning

/// A value that a verdict rests on, kept in the run directory, so that judging again needs neither git nor the store.
package struct KeptJSON<Value: Codable & Limited> {
    let role: ArtifactRole
    let fileName: String
    /// Whether people are to read the file.
    var isPretty = false

    /// The value as an artifact for the runner to keep.
    ///
    /// - Throws: `Problem` when it is larger than what is read back.
    func givenFile(_ value: Value) throws -> GivenFile {
        if let fault = value.fault {
            throw Problem(role == .policy ? .badConfiguration : .badInput, fault, hint: "write fewer entries")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        let bytes = try encoder.encode(value)
        do throws(EvidenceError) {
            try RunDirectory.check(Array(bytes), as: role, file: fileName)
        } catch {
            throw Problem(
                role == .policy ? .badConfiguration : .badInput, "\(error)",
                hint: role == .policy ? "write fewer entries, or shorter ones" : nil)
        }
        return GivenFile(role: role, fileName: fileName, bytes: bytes)
    }

    /// The value kept in a run directory; `nil` for one that holds none.
    package func read(from directory: RunDirectory) throws -> Value? {
        guard let artifact = try directory.manifest().artifacts.first(where: { $0.role == role }) else { return nil }
        let bytes = try directory.value(of: artifact)
        let value: Value
        do {
            value = try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw Problem(.badInput, "\(directory.path)/\(fileName) is damaged: \(error)")
        }
        if let fault = value.fault { throw Problem(.badInput, "\(directory.path)/\(fileName): \(fault)") }
        return value
    }
}

extension KeptJSON where Value == Policy {
    /// What a run is judged by; the defaults for a directory that holds none.
    static var policy: KeptJSON { KeptJSON(role: .policy, fileName: "policy.json", isPretty: true) }
}

extension KeptJSON where Value == Baseline {
    /// What a run is compared with.
    package static var baseline: KeptJSON { KeptJSON(role: .baseline, fileName: "baseline.json") }
}

extension KeptJSON where Value == ChangeComparison {
    /// What a run changed; none for one that was not compared.
    package static var comparison: KeptJSON { KeptJSON(role: .comparison, fileName: "comparison.json") }
}

extension KeptJSON where Value == DeselectedTests {
    /// What a full run could have left out; none where no earlier run has per-test coverage.
    static var deselectedTests: KeptJSON { KeptJSON(role: .deselectedTests, fileName: "deselected-tests.json") }
}

extension KeptJSON where Value == DeselectedLines {
    /// What the tests executed before that a run left out; none where it left out none by per-test coverage.
    static var deselectedLines: KeptJSON { KeptJSON(role: .deselectedLines, fileName: "deselected-lines.json") }
}

extension KeptJSON where Value == FailureAuthors {
    /// Who changed the lines last at which tests failed; none where nothing failed that nobody owns.
    static var authors: KeptJSON { KeptJSON(role: .authors, fileName: "authors.json") }
}

extension KeptJSON where Value == Probation {
    /// What came of new and changed tests that were repeated; none where nothing of a test target changed.
    static var probation: KeptJSON { KeptJSON(role: .probation, fileName: "probation.json") }
}

extension KeptJSON where Value == FailureObservations {
    /// What was seen of the failed tests when they were repeated; none where nobody repeated them.
    static var causes: KeptJSON { KeptJSON(role: .causes, fileName: "causes.json") }
}

extension Verdict {
    /// Judges a run by what its directory keeps: the policy, what it was compared with, and what it changed.
    ///
    /// - Parameters:
    ///   - history: What earlier runs of the same sources covered.
    ///   - past: What the policy has to know of the runs before.
    package init(
        judging run: TestRun, in directory: RunDirectory, history: LineHistory = LineHistory(),
        past: (Policy) throws -> PastResults
    ) throws {
        let policy = try KeptJSON.policy.read(from: directory) ?? Policy()
        let baseline = try KeptJSON.baseline.read(from: directory)
        let comparison = try KeptJSON.comparison.read(from: directory)
        try self.init(
            judging: run, by: policy, past: past(policy), history: history, against: baseline, changed: comparison,
            // Nothing is judged by these, except that causes may let failures of the base through. Where they cannot be read there are none;
            // that a file is damaged is a gap of the run already.
            with: try? KeptJSON.deselectedLines.read(from: directory),
            authors: try? KeptJSON.authors.read(from: directory),
            // What cannot be read has proven nothing, which is a gap where it is demanded, and else nobody's loss.
            probation: try? KeptJSON.probation.read(from: directory),
            causes: Self.causes(of: run, in: directory, baseline, comparison))
    }

    /// Why tests failed, by what the directory keeps of them; `nil` where it keeps nothing. What cannot be read is no gap.
    private static func causes(
        of run: TestRun, in directory: RunDirectory, _ baseline: Baseline?, _ comparison: ChangeComparison?
    ) -> FailureCauses? {
        guard !run.failures.isEmpty else { return nil }
        do {
            guard let seen = try KeptJSON.causes.read(from: directory) else { return nil }
            var names: FunctionNames?
            return FailureCauses(of: run, seen, changes: comparison?.changes) { symbol in
                // A large file, of which often nothing is asked.
                let known = names ?? FunctionNames(in: directory)
                names = known
                return known[symbol]
            }
        } catch {
            return FailureCauses(base: baseline?.commit?.commit, obstacle: "what was seen of them cannot be read")
        }
    }
}
