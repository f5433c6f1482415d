import Gate
import RunModel

/// One line of `config show`.
public struct SettingsEntry: Sendable, Hashable {
    /// The path of the key, such as `tests.timeouts.run`.
    public let key: String
    /// The value in the words of the file; in parentheses where it is left to something else.
    public let value: String
    /// Where it came from.
    public let origin: Origin

    /// Makes an entry from its parts.
    public init(key: String, value: String, origin: Origin) {
        self.key = key
        self.value = value
        self.origin = origin
    }
}

extension Settings {
    /// Every value with its key and its origin, in the order of the reference.
    public func described() -> [SettingsEntry] {
        var entries = [
            SettingsEntry(
                .project, project.value.map { Redaction.clean($0) } ?? "(the URL of origin, else the package)",
                project.origin),
            SettingsEntry(.base, base.value ?? "(what origin says, else main or master)", base.origin),
        ]
        entries += modules.map {
            SettingsEntry("coverage.modules.\($0.value.pattern)", Self.describe($0.value.floors), $0.origin)
        }
        entries.append(
            SettingsEntry("coverage.modules.default", Self.describe(defaultFloors.value), defaultFloors.origin)
        )
        entries += [
            SettingsEntry(.projectLine, Self.describe(projectFloor.value), projectFloor.origin),
            SettingsEntry(.mayDrop, Self.describe(mayDrop.value), mayDrop.origin),
            SettingsEntry(.patchLine, Self.describe(patch.value?.line), patch.origin),
            SettingsEntry(
                .minimumLines, patch.value.map { String($0.minimumLines) } ?? "(none)", patch.origin),
            SettingsEntry(.fileLine, Self.describe(fileFloor.value), fileFloor.origin),
        ]
        entries += Self.list(.exclude, excludes) { exclude in
            exclude.pattern + (exclude.reason.map { " (\($0))" } ?? "")
        }
        entries += [
            SettingsEntry(.ratchet, ratchet.value ? "true" : "false", ratchet.origin),
            SettingsEntry(.minimum, String(minimumTests.value), minimumTests.origin),
            SettingsEntry(.flaky, flaky.value.rawValue, flaky.origin),
        ]
        entries += Self.list(.quarantine, quarantine) {
            "\($0.test), until \($0.expires), owner \($0.owner): \($0.reason)"
        }
        entries +=
            budgets.isEmpty
            ? [SettingsEntry(.budgets, "(none)", .builtIn)]
            : budgets.map {
                SettingsEntry(
                    "\(SettingsKey.budgets.rawValue).\($0.value.pattern)", $0.value.bound.budgetDescription, $0.origin)
            }
        entries.append(SettingsEntry(.retries, String(retries.value), retries.origin))
        entries.append(SettingsEntry(.jobs, String(jobs.value), jobs.origin))
        entries +=
            bundles.isEmpty
            ? [SettingsEntry(.bundles, "(every one is on)", .builtIn)]
            : bundles.map {
                SettingsEntry(
                    "\(SettingsKey.bundles.rawValue).\($0.value.name)", $0.value.isOn ? "on" : "off", $0.origin)
            }
        entries += [
            SettingsEntry(.runTimeout, runTimeout.value.timeLimitDescription, runTimeout.origin),
            SettingsEntry(.testTimeout, testTimeout.value.timeLimitDescription, testTimeout.origin),
            SettingsEntry(.silenceTimeout, silenceTimeout.value.timeLimitDescription, silenceTimeout.origin),
        ]
        for (key, scripts) in [(SettingsKey.before, before), (.after, after)] {
            entries += Self.list(key, scripts) { script in
                "\(Redaction.clean(words: script.words).joined(separator: " ")) (\(script.timeLimit.timeLimitDescription))"
            }
        }
        entries += Self.list(.generated, generated, \.self)
        entries += Self.list(.environment, environment) { Redaction.clean(variable: $0.entry) }
        entries += [
            SettingsEntry(.isolation, isolation.value.word, isolation.origin),
            SettingsEntry(.reuse, reuse.value?.timeLimitDescription ?? "off", reuse.origin),
            SettingsEntry(.hookTests, hookTests.value.rawValue, hookTests.origin),
            SettingsEntry(.hookBudget, hookBudget.value?.timeLimitDescription ?? "off", hookBudget.origin),
        ]
        entries += [
            SettingsEntry("home", home.value ?? "(${XDG_STATE_HOME:-~/.local/state}/kanmon)", home.origin),
            SettingsEntry("engine", engine.value.rawValue, engine.origin),
            SettingsEntry("swift", swift.value ?? "(the first in PATH)", swift.origin),
        ]
        return entries
    }

    private static func list<Value>(
        _ key: SettingsKey,
        _ values: [Setting<Value>],
        _ describe: (Value) -> String
    ) -> [SettingsEntry] {
        values.isEmpty
            ? [SettingsEntry(key, "(none)", .builtIn)]
            : values.map { SettingsEntry(key, describe($0.value), $0.origin) }
    }

    private static func describe(_ rule: Percentage?) -> String { rule?.description ?? "(none)" }

    private static func describe(_ floors: Floors) -> String {
        CoverageMetric.allCases.compactMap { metric in floors[metric].map { "\(metric.rawValue) \($0)" } }
            .joined(separator: ", ")
    }
}

extension SettingsEntry {
    fileprivate init(_ key: SettingsKey, _ value: String, _ origin: Origin) { self.init(key.rawValue, value, origin) }

    fileprivate init(_ key: String, _ value: String, _ origin: Origin) {
        self.init(key: key, value: value, origin: origin)
    }
}
