import RunModel

extension BaseComparison {
    /// Targets that are gone, new or compiled in another way.
    mutating func compareTargets() {
        // Another runner's reports name no targets: nobody can say that one is gone.
        guard let before = baseShape, !run.modules.isEmpty else { return }
        let after = PackageShape(run.modules)
        for target in before.targets where after.twin(of: target) == nil {
            let successor = after.successor(of: target, newSince: before)
            if target.isTest {
                guard successor == nil else { continue }
                note(GateChange(.testTargetRemoved, subject: target.name, before: "a test target", after: "none"))
            } else if target.isModule, successor == nil, !isInLocalPackage(target.name) {
                note(
                    GateChange(
                        .moduleRemoved, subject: target.name, before: "a module", after: "none",
                        basePlace: baseline.bar?.place(ofFloorsFor: target.name)))
            }
        }
        if baseline.bar?.policy.modules.isEmpty == false {
            for target in after.targets where target.isModule && before.twin(of: target) == nil {
                guard policy.ownFloors(for: target.name) == nil, renamed(target.name) == nil else { continue }
                note(
                    GateChange(
                        .moduleWithoutFloor, subject: target.name, before: "no module", after: "the default floor",
                        place: baseline.head.place(of: "coverage.modules.default")))
            }
        }
        compareFlags()
    }

    private mutating func compareFlags() {
        guard let before = baseline.basePackage, let after = baseline.package else { return }
        for target in after.targets {
            var known = before.twin(of: target)?.unsafeFlags ?? []
            let added = target.unsafeFlags.filter { flag in
                guard let index = known.firstIndex(where: { Name($0) == Name(flag) }) else { return true }
                known.remove(at: index)
                return false
            }
            guard !added.isEmpty else { continue }
            note(
                GateChange(
                    .unsafeFlagsAdded, subject: target.name, before: "none", after: added.joined(separator: " "),
                    items: added))
        }
    }

    /// Tests that are gone, skipped or excused, against the base's stored run.
    mutating func compareTests() {
        guard let base = baseline.run, !run.isPartial, !run.buildFailed else { return }
        let off = Set((removedTestTargets(base) + run.selection.disabledTargets).map { Name($0) })
        let before = base.outcomes.filter { entry in
            entry.outcome != .skipped && !off.contains(Name(manifestName(entry.id.module, base.targets)))
        }
        let now = Dictionary(run.tests.map { ($0.id, $0.outcome) }, uniquingKeysWith: { first, _ in first })

        let count = run.tests.count { $0.outcome != .skipped }
        // Those that are skipped now are a change of their own.
        let skipped = before.filter { now[$0.id] == .skipped }
        let expected = before.count - skipped.count
        if count * 100 < expected * 99 {
            note(
                GateChange(
                    .testsDropped, subject: "tests", before: "\(expected) tests", after: "\(count) tests",
                    items: before.filter { now[$0.id] == nil }.map(\.id.description)))
        }
        note(.testsSkipped, skipped.map(\.id), base)
        note(.knownIssuesAdded, before.filter { $0.outcome == .passed && now[$0.id] == .knownIssue }.map(\.id), base)
        compareArguments(base)
    }

    /// Tests that run with fewer arguments. One that failed may not have come to all of them.
    private mutating func compareArguments(_ base: BaseRun) {
        let counts = Dictionary(base.arguments.map { ($0.test, $0.count) }, uniquingKeysWith: { first, _ in first })
        let fewer = run.tests.compactMap { test -> (id: TestID, before: Int, after: Int)? in
            guard let before = counts[test.id], test.outcome.wasExecuted, !test.outcome.isFailure,
                test.arguments.count < before
            else { return nil }
            return (test.id, before, test.arguments.count)
        }
        var rest = fewer[...]
        while let first = rest.first {
            let own = rest.prefix { Name($0.id.module) == Name(first.id.module) }
            rest = rest.dropFirst(own.count)
            note(
                GateChange(
                    .argumentsDropped, subject: manifestName(first.id.module, base.targets),
                    before: "\(own.reduce(0) { $0 + $1.before }) arguments",
                    after: "\(own.reduce(0) { $0 + $1.after }) arguments",
                    items: own.map { "\($0.id): \($0.before) → \($0.after)" }))
        }
    }

    /// Notes tests under the test target they belong to.
    private mutating func note(_ code: GateChangeCode, _ tests: [TestID], _ base: BaseRun) {
        var rest = tests[...]
        while let first = rest.first {
            let own = rest.prefix { Name($0.module) == Name(first.module) }
            rest = rest.dropFirst(own.count)
            note(
                GateChange(
                    code, subject: manifestName(first.module, base.targets), before: "ran",
                    after: code == .testsSkipped ? "skipped" : "a known issue", items: own.map(\.description)))
        }
    }

    private func removedTestTargets(_ base: BaseRun) -> [String] {
        changes.filter { $0.code == .testTargetRemoved }.map(\.subject)
    }

    /// The name in the manifest of a target that the compiler knows under another.
    private func manifestName(_ compilerName: String, _ targets: [Module]) -> String {
        (targets + run.modules).first { Name($0.compilerName) == Name(compilerName) }?.name ?? compilerName
    }
}
