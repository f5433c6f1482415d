public import Gate
import RunModel

extension Settings {
    /// Everything in the file that a run can be judged by, with its places.
    ///
    /// It speaks of the file alone: a flag or a variable for one run changes nothing of what a commit sets.
    ///
    /// - Parameter file: The path of the file in the repository; `nil` when there is none.
    public func bar(file: String?) -> Bar {
        Bar(
            policy: policy,
            limits: [
                BarLimit(.minimumTests, minimumTests.value, words: String(minimumTests.value)),
                limit(.runTimeout, runTimeout),
                limit(.silenceTimeout, silenceTimeout),
                BarLimit(.ratchet, ratchet.value ? 1 : nil, words: ratchet.value ? "true" : "false"),
                BarLimit(.flaky, flaky.value == .fail ? 1 : nil, words: flaky.value.rawValue),
                limit(.testTimeout, testTimeout),
                BarLimit(.retries, retries.value, words: String(retries.value)),
                limit(.patch, patch.value?.line),
                limit(.project, projectFloor.value),
                limit(.projectDrop, mayDrop.value),
                limit(.files, fileFloor.value),
                // Without a rule on the change there is nothing that its size could switch off.
            ]
                + (patch.value.map { [BarLimit(.patchMinimum, $0.minimumLines, words: "\($0.minimumLines) lines")] }
                    ?? []),
            lists: [BarList(.bundles, disabledTargets)],
            project: project.value, base: base.value, places: places, file: file
        )
    }

    private func limit(_ rule: BarLimit.Rule, _ setting: Setting<Duration>) -> BarLimit {
        BarLimit(rule, Int(setting.value.components.seconds), words: setting.value.timeLimitDescription)
    }

    private func limit(_ rule: BarLimit.Rule, _ percentage: Percentage?) -> BarLimit {
        BarLimit(rule, percentage?.thousandths, words: percentage.map { "\($0) %" } ?? "none")
    }

    private var places: [BarPlace] {
        var places: [BarPlace] = []
        func add(_ key: String, _ origin: Origin) {
            if case .file(let place) = origin { places.append(BarPlace(key: key, place: place.description)) }
        }
        add(SettingsKey.project.rawValue, project.origin)
        add(SettingsKey.base.rawValue, base.origin)
        for rule in modules { add("coverage.modules.\(rule.value.pattern)", rule.origin) }
        add("coverage.modules.default", defaultFloors.origin)
        for exclude in excludes { add("coverage.exclude.\(exclude.value.pattern)", exclude.origin) }
        add(SettingsKey.ratchet.rawValue, ratchet.origin)
        add(SettingsKey.patchRule.rawValue, patch.origin)
        if patch.value != nil { add(SettingsKey.minimumLines.rawValue, patch.origin) }
        add(SettingsKey.projectRule.rawValue, projectFloor.origin)
        add(SettingsKey.mayDrop.rawValue, mayDrop.origin)
        add(SettingsKey.fileRule.rawValue, fileFloor.origin)
        add(SettingsKey.minimum.rawValue, minimumTests.origin)
        add(SettingsKey.flaky.rawValue, flaky.origin)
        for entry in quarantine { add("tests.quarantine.\(entry.value.test)", entry.origin) }
        for budget in budgets { add("tests.budgets.\(budget.value.pattern)", budget.origin) }
        add(SettingsKey.retries.rawValue, retries.origin)
        for bundle in bundles { add("tests.bundles.\(bundle.value.name)", bundle.origin) }
        add(SettingsKey.testTimeout.rawValue, testTimeout.origin)
        add(SettingsKey.runTimeout.rawValue, runTimeout.origin)
        add(SettingsKey.silenceTimeout.rawValue, silenceTimeout.origin)
        return places
    }
}
