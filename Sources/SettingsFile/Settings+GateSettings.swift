public import Gate
import RunModel

extension Settings {
    /// Everything in the file that a run can be judged by, with its places.
    ///
    /// Only the file counts: a flag or a variable for one run does not change the settings of a commit.
    ///
    /// - Parameter file: The path of the file in the repository; `nil` when there is none.
    public func gateSettings(file: String?) -> GateSettings {
        GateSettings(
            policy: policy,
            limits: [
                limit(.runTimeout, runTimeout), limit(.silenceTimeout, silenceTimeout),
                limit(.testTimeout, testTimeout), SettingsLimit(.retries, retries.value, words: String(retries.value)),
                SettingsLimit(
                    .interop, interop.value == .fail ? 0 : 1, words: interop.value.rawValue),
                SettingsLimit(
                    .undiscovered, undiscoveredTests.value == .gap ? 0 : 1, words: undiscoveredTests.value.rawValue),
            ],
            lists: [
                SettingsList(.bundles, disabledTargets),
                SettingsList(
                    .buildSystem, buildSystem.value == .native ? [] : [buildSystem.value.rawValue]),
                SettingsList(.traits, traits.map(\.value).sorted { Name($0) < Name($1) }),
                SettingsList(.sanitizer, sanitizer.value == .none ? [] : [sanitizer.value.rawValue]),
                SettingsList(.swiftFlags, swiftFlags.map { Self.marked($0.value, as: Redaction.clean($0.value)) }),
                SettingsList(.before, before.map { Self.words($0.value) }),
                SettingsList(.after, after.map { Self.words($0.value) }),
                SettingsList(.generated, generated.map(\.value)),
                // The order of variables means nothing.
                SettingsList(
                    .environment,
                    environment.map { Self.marked($0.value.entry, as: Redaction.clean(variable: $0.value.entry)) }
                        .sorted { Name($0) < Name($1) }),
            ],
            project: project.value, base: base.value, places: places, file: file
        )
    }

    /// A text without its credentials; eight digits distinguish it from the same text with other credentials.
    private static func marked(_ text: String, as cleaned: String) -> String {
        Name(cleaned) == Name(text) ? text : "\(cleaned) #\(StableHash(text).hexadecimal.suffix(8))"
    }

    /// A script as one text, different for different scripts: a word with a blank or a quote in it is quoted.
    private static func words(_ script: RunScript) -> String {
        func joined(_ words: [String]) -> String {
            words.map { word in
                let isPlain = !word.isEmpty && !word.contains { $0.isWhitespace || "\"\\,()".contains($0) }
                return isPlain ? word : word.debugDescription
            }.joined(separator: " ")
        }
        let text = marked(joined(script.words), as: joined(Redaction.clean(words: script.words)))
        return "\(text) (\(script.timeLimit.timeLimitDescription))"
    }

    private func limit(_ rule: SettingsLimit.Rule, _ setting: Setting<Duration>) -> SettingsLimit {
        SettingsLimit(rule, Int(setting.value.components.seconds), words: setting.value.timeLimitDescription)
    }
}
