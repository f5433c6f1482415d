import RunModel

extension GateChangeCode {
    static let settingsRemoved = GateChangeCode("settings-removed", "The settings file of the base is gone.")
    static let settingsUnreadable = GateChangeCode(
        "settings-unreadable", "The settings file of the base cannot be read, so that nobody knows what it demanded.")
    static let settingsMoved = GateChangeCode(
        "settings-moved", "The settings file of the base is no longer where the package is.")
    static let projectChanged = GateChangeCode(
        "project-changed", "Runs are kept under another project, so that those of the base are not found.")
    static let baseChanged = GateChangeCode("base-changed", "Another branch is named as the default branch.")
}

/// The settings file stays where it is, and so does what a run is compared with.
enum SettingsIdentity: Rule {
    static let code = "settings"
    static let changes: [GateChangeCode] = [
        .settingsRemoved, .settingsUnreadable, .settingsMoved, .projectChanged, .baseChanged,
    ]

    static func compare(_ comparison: inout BaseComparison) {
        guard let settings = comparison.settings else { return }
        let baseline = comparison.baseline
        let head = baseline.head
        if let reason = baseline.unreadable {
            comparison.note(.settingsUnreadable, about: ".kanmon.yml", before: reason, after: head.file ?? "none")
        }
        if let old = baseline.movedFrom {
            comparison.note(.settingsMoved, about: ".kanmon.yml", before: old, after: head.file ?? "none")
        } else if let old = settings.file, head.file == nil {
            comparison.note(.settingsRemoved, about: ".kanmon.yml", before: old, after: "none")
        }
        let names: [(String, GateChangeCode, String?, String?)] = [
            ("project", .projectChanged, settings.project, head.project),
            ("base", .baseChanged, settings.base, head.base),
        ]
        for (key, code, old, new) in names where old.map({ Name($0) }) != new.map({ Name($0) }) {
            comparison.note(code, about: key, before: old ?? "none", after: new ?? "none", key: key)
        }
    }
}
