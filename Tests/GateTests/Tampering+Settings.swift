import RunModel

@testable import Gate

extension Tampering {
    /// What else the settings say.
    static let ofSettings: [Tampering] = [
        Tampering(
            GateChange(
                .runBeforeChanged, subject: "run.before", before: "scripts/generate.sh (10m)",
                after: "scripts/generate.sh (10m), scripts/other.sh (10m)", basePlace: ".kanmon.yml:12:7",
                place: ".kanmon.yml:12:7")
        ) { $0.list(.before, ["scripts/generate.sh (10m)", "scripts/other.sh (10m)"]) },
        Tampering(
            GateChange(
                .runBeforeChanged, subject: "run.before", before: "scripts/generate.sh (10m)", after: "none",
                basePlace: ".kanmon.yml:12:7", place: ".kanmon.yml:12:7")
        ) { $0.list(.before, []) },
        Tampering(
            GateChange(.runAfterChanged, subject: "run.after", before: "none", after: "scripts/clean.sh (1m)")
        ) { $0.list(.after, ["scripts/clean.sh (1m)"]) },
        Tampering(
            GateChange(
                .generatedAdded, subject: "Sources/**", before: "not in run.generated", after: "in run.generated")
        ) { $0.list(.generated, ["Sources/**"]) },
        Tampering(
            GateChange(.runEnvironmentChanged, subject: "run.environment", before: "MODE=1", after: "MODE=2")
        ) { $0.list(.environment, ["MODE=2"]) },
        Tampering(GateChange(.buildChanged, subject: "build.system", before: "none", after: "swiftbuild")) {
            $0.list(.buildSystem, ["swiftbuild"])
        },
        Tampering(GateChange(.buildChanged, subject: "build.traits", before: "none", after: "Fast")) {
            $0.list(.traits, ["Fast"])
        },
        Tampering(GateChange(.buildChanged, subject: "build.sanitize", before: "thread", after: "none")) { trial in
            trial.baseline.settings?.lists.append(SettingsList(.sanitizer, ["thread"]))
            trial.list(.sanitizer, [])
        },
        Tampering(
            GateChange(.buildChanged, subject: "build.swift-flags", before: "none", after: "-suppress-warnings")
        ) { $0.list(.swiftFlags, ["-suppress-warnings"]) },
        Tampering(GateChange(.settingsRemoved, subject: ".kanmon.yml", before: ".kanmon.yml", after: "none")) {
            $0.baseline.head.file = nil
        },
        Tampering(
            GateChange(.settingsUnreadable, subject: ".kanmon.yml", before: "not UTF-8", after: ".kanmon.yml")
        ) { $0.baseline.unreadable = "not UTF-8" },
        Tampering(
            GateChange(
                .manifestUnreadable, subject: "Package.swift", before: "error: no such module", after: "evaluated")
        ) { $0.baseline.unreadableManifest = "error: no such module" },
        Tampering(
            GateChange(.settingsMoved, subject: ".kanmon.yml", before: "old/.kanmon.yml", after: ".kanmon.yml")
        ) { $0.baseline.movedFrom = "old/.kanmon.yml" },
        Tampering(GateChange(.projectChanged, subject: "project", before: "none", after: "other")) {
            $0.baseline.head.project = "other"
        },
        Tampering(GateChange(.baseChanged, subject: "base", before: "none", after: "mine")) {
            $0.baseline.head.base = "mine"
        },
    ]
}
