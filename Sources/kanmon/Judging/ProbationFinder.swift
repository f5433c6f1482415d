import Foundation
import Gate
import RunModel
import SettingsFile
import TestRunning

/// Finds the new and changed tests of a package, for its runs to repeat them.
struct ProbationFinder: Sendable {
    let settings: Settings
    /// The package's folder as it is tested, absolute.
    let root: String
    let baseline: Baseline
    /// What changed since the base.
    let comparison: ChangeComparison?

    /// What a run is asked for; `nil` where the settings want nothing repeated, or nobody knows what is new.
    ///
    /// - Parameter nonce: What the seed is made of.
    func request(nonce: String) -> ProbationRequest? {
        guard let budget = settings.probationBudget.value, let bases = baseline.probationBases(changed: comparison)
        else { return nil }
        let demands = [settings.policy] + ([baseline] + (baseline.others ?? []).map(\.baseline)).compactMap {
            $0.settings?.policy
        }
        let root = root
        return ProbationRequest(
            StressRequest(runs: settings.probationRuns.value, budget: budget, seed: Self.seed(nonce: nonce)),
            base: baseline.probationKey, isDemanded: demands.contains { $0.probation != nil },
            excused: Set(settings.policy.quarantine.map { Name($0.test) }),
            choose: { modules, tests in
                let choice = ProbationChoice(
                    among: tests, in: Self.sources(of: modules, in: root, bases), against: bases)
                return (choice.entries, choice.unlisted)
            }, file: { try? KeptJSON.probation.givenFile($0) })
    }

    /// A seed that a person can write down.
    static func seed(nonce: String) -> UInt64 { StableHash(nonce).value % 1_000_000_000 }

    /// The sources of the test targets of which one changed.
    private static func sources(of modules: [Module], in root: String, _ bases: [ProbationChoice.Base]) -> [TestSource]
    {
        let changed = Set(bases.flatMap(\.changes).compactMap(\.path).map { Name($0) })
        let targets = modules.filter { module in
            module.kind == .test && module.isSwift && module.sourcePaths.contains { changed.contains(Name($0)) }
        }
        return targets.flatMap { module in
            module.sourcePaths.map { path in
                let bytes = FileManager.default.contents(atPath: "\(root)/\(path)")
                return bytes.map { TestSource(path: path, module: module.compilerName, reading: [UInt8]($0)) }
                    ?? TestSource(path: path, module: module.compilerName, parts: nil)
            }
        }
    }
}
