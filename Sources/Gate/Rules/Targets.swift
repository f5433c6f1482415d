import RunModel

extension GateChangeCode {
    static let testTargetRemoved = GateChangeCode(
        "test-target-removed", "A test target of the base is gone.", isWaivedBySubject: true)
    /// A test target is switched off.
    public static let testTargetOff = GateChangeCode(
        "test-target-off", "A test target is switched off that was on at the base.", isWaivedBySubject: true)
    static let moduleRemoved = GateChangeCode(
        "module-removed", "A module of the base is gone, and its floor with it.", isWaivedBySubject: true)
    static let moduleWithoutFloor = GateChangeCode(
        "module-without-floor", "A new module has no floor of its own, where modules have their own.",
        isWaivedBySubject: true)
    static let unsafeFlagsAdded = GateChangeCode(
        "unsafe-flags-added",
        "A target is compiled with unsafe flags it did not have, which can switch off its instrumentation.",
        isWaivedBySubject: true)
    static let codeInLocalPackage = GateChangeCode(
        "code-in-local-package",
        "Code lies in a local package, which is not measured, and was measured or not there at the base.",
        isWaivedBySubject: true)
}

/// No target is lost, switched off or taken out of what is measured.
enum Targets: Rule {
    static let code = "targets"
    static let changes: [GateChangeCode] = [
        .testTargetRemoved, .testTargetOff, .moduleRemoved, .moduleWithoutFloor, .unsafeFlagsAdded, .codeInLocalPackage,
    ]

    static func compare(_ comparison: inout BaseComparison) {
        comparison.compareNewEntries(of: .bundles, .testTargetOff)
        comparison.compareTargets()
        comparison.compareLocalPackages()
    }
}

extension BaseComparison {
    /// Targets that are gone, new or compiled in another way.
    fileprivate mutating func compareTargets() {
        // Another runner's reports name no targets: nobody can say that one is gone.
        guard let before = baseShape, !run.modules.isEmpty else { return }
        let after = PackageShape(run.modules)
        for target in before.targets where after.twin(of: target).map({ target.isModule && !$0.isModule }) ?? true {
            if let twin = after.twin(of: target) {
                // Of the same name, and nothing of it is measured any more.
                note(
                    GateChange(
                        .moduleRemoved, subject: target.name, before: "a module",
                        after: run.notMeasurable[twin.name] ?? reasonNotMeasurable(twin.name) ?? "not measured",
                        basePlace: baseline.settings?.place(ofFloorsFor: target.name)))
                continue
            }
            let successor = after.successor(of: target, newSince: before)
            if target.isTest {
                guard successor == nil else { continue }
                note(GateChange(.testTargetRemoved, subject: target.name, before: "a test target", after: "none"))
            } else if target.isModule, successor == nil, !isInLocalPackage(target.name) {
                note(
                    GateChange(
                        .moduleRemoved, subject: target.name, before: "a module", after: "none",
                        basePlace: baseline.settings?.place(ofFloorsFor: target.name)))
            }
        }
        if baseline.settings?.policy.modules.isEmpty == false {
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

    private func reasonNotMeasurable(_ module: String) -> String? {
        run.modules.first { Name($0.name) == Name(module) }?.reasonNotMeasurable
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

    /// The name at the base of a module of the run that has another one now.
    func renamed(_ module: String) -> String? {
        guard let before = baseShape, !before.targets.contains(where: { Name($0.name) == Name(module) })
        else { return nil }
        let after = PackageShape(run.modules)
        return before.targets.first { target in
            !target.isTest && after.twin(of: target) == nil
                && after.successor(of: target, newSince: before).map { Name($0.name) } == Name(module)
        }?.name
    }

    /// The targets at the base: as its manifest declares them, else as its stored run knew them.
    var baseShape: PackageShape? { baseline.basePackage ?? baseline.run.map { PackageShape($0.targets) } }

    /// Code that local packages have taken out of what is measured, and local packages that are new.
    fileprivate mutating func compareLocalPackages() {
        let new = newLocalPackages
        for package in run.localPackages where package.modules != [] {
            let moved = (package.modules ?? []).filter(wasMeasured)
            let isNew = new.contains { Name($0) == Name(package.path) }
            guard isNew || !moved.isEmpty else { continue }
            note(
                GateChange(
                    .codeInLocalPackage, subject: package.path,
                    before: moved.isEmpty ? "no such package" : "\(moved.joined(separator: ", ")) measured",
                    after: "not measured", items: isNew ? package.modules ?? [] : moved))
        }
    }

    /// Whether a module of the base is in a local package now.
    func isInLocalPackage(_ module: String) -> Bool {
        run.localPackages.contains { package in
            package.modules?.contains { Name($0) == Name(module) } == true
        }
    }

    private func wasMeasured(_ module: String) -> Bool {
        baseShape?.targets.contains { $0.isModule && Name($0.name) == Name(module) } == true
    }

    /// The folders of local packages that were none at the base: by its stored run, else by the manifests, which name only
    /// those that the package itself depends on.
    private var newLocalPackages: [String] {
        let (before, now): ([String], [String])
        if let base = baseline.run {
            (before, now) = (base.localPackages, run.localPackages.map(\.path))
        } else if let base = baseline.basePackage, let package = baseline.package {
            (before, now) = (base.localPackages, package.localPackages)
        } else {
            return []
        }
        return now.filter { path in !before.contains { Name($0) == Name(path) } }
    }
}
