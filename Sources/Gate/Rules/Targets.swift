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
    static let manifestUnreadable = GateChangeCode(
        "manifest-unreadable", "The manifest of the base cannot be evaluated, so that nobody knows what it declared.")
}

/// No target is lost, switched off or taken out of what is measured.
enum Targets: Rule {
    static let code = "targets"
    static let changes: [GateChangeCode] = [
        .testTargetRemoved, .testTargetOff, .moduleRemoved, .moduleWithoutFloor, .unsafeFlagsAdded, .codeInLocalPackage,
        .manifestUnreadable,
    ]

    static func compare(_ comparison: inout BaseComparison) {
        comparison.compareNewEntries(of: .bundles, .testTargetOff)
        comparison.compareTargets()
        comparison.compareLocalPackages()
        // Its stored run knows the targets, but not their flags.
        if let reason = comparison.baseline.unreadableManifest {
            comparison.note(.manifestUnreadable, about: "Package.swift", before: reason, after: "evaluated")
        }
    }
}

extension BaseComparison {
    /// Targets that are gone, new or compiled in another way.
    fileprivate mutating func compareTargets() {
        // Another runner's reports name no targets: nobody can say that one is gone.
        guard let shapes, !run.modules.isEmpty else { return }
        let inLocalPackages = Set(run.localPackages.flatMap { $0.modules ?? [] }.map { Name($0) })
        for target in shapes.before.targets {
            if let twin = shapes.twinNow(target) {
                guard target.isModule, !twin.isModule else { continue }
                // Of the same name, and nothing of it is measured any more.
                note(
                    GateChange(
                        .moduleRemoved, subject: target.name, before: "a module",
                        after: run.notMeasurable[twin.name] ?? reasonNotMeasurable(twin.name) ?? "not measured",
                        basePlace: baseline.settings?.place(ofFloorsFor: target.name)))
                continue
            }
            let successor = shapes.successor(of: target)
            if target.isTest {
                guard successor == nil else { continue }
                note(GateChange(.testTargetRemoved, subject: target.name, before: "a test target", after: "none"))
            } else if target.isModule, successor == nil, !inLocalPackages.contains(Name(target.name)) {
                note(
                    GateChange(
                        .moduleRemoved, subject: target.name, before: "a module", after: "none",
                        basePlace: base?.place(ofFloorsFor: target.name)))
            }
        }
        if baseline.settings?.policy.modules.isEmpty == false {
            let own = FloorTable(policy)
            for target in shapes.after.targets where target.isModule && shapes.twinBefore(target) == nil {
                guard own.own(target.name) == nil, renamed(target.name) == nil else { continue }
                note(
                    GateChange(
                        .moduleWithoutFloor, subject: target.name, before: "no module", after: "the default floor",
                        place: head.place(of: "coverage.modules.default")))
            }
        }
        compareFlags()
    }

    private func reasonNotMeasurable(_ module: String) -> String? {
        run.modules.first { Name($0.name) == Name(module) }?.reasonNotMeasurable
    }

    private mutating func compareFlags() {
        guard let before = baseline.basePackage, let after = baseline.package else { return }
        let flags = before.byKind(\.unsafeFlags)
        for target in after.targets {
            var known: [Name: Int] = [:]
            for flag in flags[target.isTest]?[Name(target.name)] ?? [] { known[Name(flag), default: 0] += 1 }
            let added = target.unsafeFlags.filter { flag in
                guard let left = known[Name(flag)], left > 0 else { return true }
                known[Name(flag)] = left - 1
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
    func renamed(_ module: String) -> String? { shapes?.formerName(of: module) }

    /// Code that local packages have taken out of what is measured, and local packages that are new.
    fileprivate mutating func compareLocalPackages() {
        let new = Set(newLocalPackages.map { Name($0) })
        for package in run.localPackages where package.modules != [] {
            let moved = (package.modules ?? []).filter { shapes?.wasModule($0) == true }
            let isNew = new.contains(Name(package.path))
            guard isNew || !moved.isEmpty else { continue }
            note(
                GateChange(
                    .codeInLocalPackage, subject: package.path,
                    before: moved.isEmpty ? "no such package" : "\(moved.joined(separator: ", ")) measured",
                    after: "not measured", items: isNew ? package.modules ?? [] : moved))
        }
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
        let known = Set(before.map { Name($0) })
        return now.filter { !known.contains(Name($0)) }
    }
}
