import Foundation
import Gate
import RunModel
import SettingsFile
import TestRunning

/// Finds the new and changed tests of a package, for its runs to repeat them.
package struct ProbationFinder: Sendable {
    let settings: Settings
    /// The package's folder as it is tested, absolute.
    let root: String
    let baseline: Baseline
    /// What changed since the base.
    let comparison: ChangeComparison?
    /// When whoever waits for the run does not wait any more; `nil` for never.
    var deadline: SuspendingClock.Instant?

    /// What a run is asked for; `nil` where the settings want nothing repeated, or nobody knows what is new.
    ///
    /// - Parameter nonce: What the seed is made of.
    func request(nonce: String) -> ProbationRequest? {
        guard let budget = settings.probationBudget.value, baseline.isWhollyCompared(changed: comparison) else {
            return nil
        }
        let bases = [baseline] + (baseline.others ?? []).map(\.baseline)
        let policies = [settings.policy] + bases.compactMap { $0.settings?.policy }
        return ProbationRequest(
            StressRequest(runs: settings.probationRuns.value, budget: budget, seed: Self.seed(nonce: nonce)),
            base: baseline.probationKey, isDemanded: policies.contains { $0.probation != nil },
            excused: Set(settings.policy.quarantine.map { Name($0.test) }), deadline: deadline,
            choose: { modules, tests in choose(among: tests, of: modules) },
            file: { try? KeptJSON.probation.givenFile($0) })
    }

    /// A seed that a person can write down.
    package static func seed(nonce: String) -> UInt64 { StableHash(nonce).value % 1_000_000_000 }

    /// The tests of a package that are new or changed.
    private func choose(among tests: [TestID], of modules: [Module]) -> [Probation.Entry] {
        guard let bases = baseline.probationBases(changed: comparison) else { return [] }
        return ProbationChoice(among: tests, in: sources(of: modules, against: bases), against: bases).entries
    }

    /// The sources of the test targets of which one changed, those of their helpers included.
    private func sources(of modules: [Module], against bases: [ProbationChoice.Base]) -> [TestSource] {
        let targets = modules.filter { $0.kind == .test && $0.isSwift }.map { test in
            (test: test, helping: modules.testHelpers(of: test).flatMap(\.sourcePaths))
        }
        let paths = targets.flatMap { $0.test.sourcePaths + $0.helping }
        let changed = Set(bases.flatMap { $0.changesByPath(of: paths).keys })
        var sources: [TestSource] = []
        for (test, helping) in targets {
            guard (test.sourcePaths + helping).contains(where: { changed.contains(Name($0)) }) else { continue }
            sources += test.sourcePaths.map { source($0, of: test) }
            for path in helping {
                var source = self.source(path, of: test)
                source.isOfHelper = true
                sources.append(source)
            }
        }
        return sources
    }

    private func source(_ path: String, of test: Module) -> TestSource {
        let bytes = FileManager.default.contents(atPath: "\(root)/\(path)")
        return bytes.map { TestSource(path: path, module: test.compilerName, reading: [UInt8]($0)) }
            ?? TestSource(path: path, module: test.compilerName, parts: nil)
    }
}
