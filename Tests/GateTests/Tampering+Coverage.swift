import RunModel
import TestSupport

@testable import Gate

extension Tampering {
    /// What is measured, and how much of it has to be covered.
    static let ofCoverage: [Tampering] = [
        Tampering(
            GateChange(
                .floorLowered, subject: "Core", metric: .line, before: "95 %", after: "60 %",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.line = .percent(60) },
        Tampering(
            GateChange(
                .floorLowered, subject: "Core", metric: .line, before: "95 %", after: "none",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.line = .percent(0) },
        Tampering(
            GateChange(
                .floorRemoved, subject: "Core", metric: .function, before: "90 %", after: "none",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.function = nil },
        Tampering(
            GateChange(
                .floorRemoved, subject: "Core", metric: .line, before: "95 %", after: "80 %",
                basePlace: ".kanmon.yml:3:5", place: ".kanmon.yml:3:5")
        ) { $0.policy.modules[0].floors.line = nil },
        Tampering(
            GateChange(
                .defaultFloorLowered, subject: "default", metric: .region, before: "50 %", after: "none",
                items: ["Core", "tool"])
        ) { $0.policy.defaultFloors.region = nil },
        Tampering(
            GateChange(
                .excludeAdded, subject: "**/URLRule.swift", before: "none", after: "**/URLRule.swift",
                items: ["Sources/Core/URLRule.swift"])
        ) { $0.policy.excludes.append("**/URLRule.swift") },
        Tampering(
            GateChange(
                .excludeWidened, subject: "Sources/*/*l*", before: "Sources/Old/*",
                after: "Sources/*/*l*",
                items: ["Sources/Core/URLRule.swift"])
        ) { $0.policy.excludes = ["Sources/*/*l*"] },
        Tampering(GateChange(.moduleRemoved, subject: "tool", before: "a module", after: "none")) { trial in
            trial.run.modules.removeAll { $0.name == "tool" }
            trial.run.coverage?.files.removeAll { $0.module == "tool" }
            trial.policy.modules.removeAll { $0.pattern == "to*" }
        },
        Tampering(
            GateChange(.moduleRemoved, subject: "tool", before: "a module", after: "a C-family target")
        ) { trial in
            trial.run.modules = trial.run.modules.map { module in
                module.name == "tool"
                    ? Module(
                        name: "tool", compilerName: "tool", kind: .executable, isSwift: false, path: module.path,
                        sources: ["main.c"], dependencies: []) : module
            }
            trial.run.coverage?.files.removeAll { $0.module == "tool" }
            trial.policy.modules.removeAll { $0.pattern == "to*" }
        },
        Tampering(
            GateChange(
                .codeMovedIntoExclude, subject: "Sources/Old/*", before: "counted", after: "excluded",
                items: [
                    "Sources/Core/Core.swift → Sources/Old/New.swift",
                    "Sources/Core/Gone.swift → Sources/Old/New.swift",
                ])
        ) { trial in
            trial.changes = [
                FileChange(
                    path: "Sources/Old/New.swift", basePath: "Sources/Core/Gone.swift", changes: [],
                    moved: [MovedLines(head: 1..<9, basePath: "Sources/Core/Core.swift", baseStart: 1)]),
                // Neither what was excluded before, nor what no module has.
                FileChange(path: "Sources/Old/Old.swift", basePath: "Sources/Old/Older.swift", changes: []),
                FileChange(path: "Sources/Old/notes.txt", basePath: "Sources/Core/notes.txt", changes: []),
            ]
            trial.run.modules.append(
                Module(
                    name: "Old", compilerName: "Old", kind: .plugin, isSwift: true, path: "Sources/Old",
                    sources: ["New.swift", "Old.swift"], dependencies: []))
        },
        Tampering(
            GateChange(
                .codeInLocalPackage, subject: "Vendor/Kit", before: "no such package", after: "not measured",
                items: ["Kit", "KitUI"])
        ) { $0.run.localPackages = [LocalPackage(path: "Vendor/Kit", modules: ["Kit", "KitUI"])] },
        Tampering(
            GateChange(
                .codeInLocalPackage, subject: "../Kit", before: "no such package", after: "not measured")
        ) { trial in
            trial.run.localPackages = [LocalPackage(path: "../Kit", modules: nil)]
            trial.baseline.run?.localPackages = ["Kit"]
        },
        Tampering(
            GateChange(
                .codeInLocalPackage, subject: "Tools", before: "tool measured", after: "not measured", items: ["tool"])
        ) { trial in
            trial.run.modules.removeAll { $0.name == "tool" }
            trial.run.coverage?.files.removeAll { $0.module == "tool" }
            trial.policy.modules.removeAll { $0.pattern == "to*" }
            trial.run.localPackages = [LocalPackage(path: "Tools", modules: ["other", "tool"])]
            trial.baseline.run?.localPackages = ["Tools"]
        },
        Tampering(
            GateChange(
                .moduleRenamed, subject: "Kern", metric: .line, before: "95 %", after: "90 %", items: ["Core"],
                basePlace: ".kanmon.yml:3:5")
        ) { trial in
            trial.move("Core", to: "Kern")
            trial.policy.modules[0] = ModuleRule(
                pattern: "Kern", floors: Floors(line: .percent(90), function: .percent(90)))
        },
        Tampering(
            GateChange(.moduleWithoutFloor, subject: "Extra", before: "no module", after: "the default floor")
        ) { trial in
            trial.run.modules.append(
                Module(
                    name: "Extra", compilerName: "Extra", kind: .library, isSwift: true, path: "Sources/Extra",
                    sources: ["Extra.swift"], dependencies: []))
            trial.run.coverage?.files.append(
                FileCoverage(
                    path: "Sources/Extra/Extra.swift", module: "Extra", lines: SampleRuns.lines(4, covered: 4),
                    regions: CoverageTally(covered: 1, total: 1), functions: CoverageTally(covered: 1, total: 1)))
        },
        Tampering(GateChange(.ratchetOff, subject: "coverage.ratchet", before: "true", after: "false")) {
            $0.policy.ratchet = nil
        },
        Tampering(GateChange(.patchFloorLowered, subject: "coverage.patch", before: "90 %", after: "20 %")) {
            $0.policy.patch?.line = .percent(20) ?? .zero
        },
        Tampering(GateChange(.patchFloorLowered, subject: "coverage.patch", before: "90 %", after: "none")) {
            $0.policy.patch = nil
        },
        Tampering(
            GateChange(.patchMinimumRaised, subject: "coverage.patch.min-lines", before: "5 lines", after: "500 lines")
        ) {
            $0.policy.patch?.minimumLines = 500
        },
        Tampering(GateChange(.projectFloorLowered, subject: "coverage.project", before: "40 %", after: "none")) {
            $0.policy.project?.line = nil
        },
        Tampering(GateChange(.projectDropRaised, subject: "coverage.project.may-drop", before: "40 %", after: "90 %")) {
            $0.policy.project?.mayDrop = .percent(90)
        },
        Tampering(GateChange(.fileFloorLowered, subject: "coverage.files", before: "10 %", after: "none")) {
            $0.policy.fileFloor = nil
        },
        Tampering(
            GateChange(
                .unsafeFlagsAdded, subject: "Core", before: "none", after: "-Xfrontend -no-coverage",
                items: ["-Xfrontend", "-no-coverage"])
        ) { $0.baseline.package?.targets[0].unsafeFlags = ["-Xfrontend", "-no-coverage"] },
    ]
}
