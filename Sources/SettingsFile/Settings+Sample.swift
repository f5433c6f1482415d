import Gate
public import RunModel

extension Settings {
    /// A commented `.kanmon.yml` for a package: what `kanmon init` writes.
    ///
    /// Every module that can be measured according to the manifest is listed. Its floor is its line coverage in
    /// `measured`, rounded down to whole percents, so that the measured run passes. A module that is not in
    /// `measured` is listed in a comment with the default: it may have no executable line, and a floor for such a
    /// module is an error.
    public static func sample(modules: [Module], measured: [String: CoverageTally]? = nil) -> String {
        let preset = Settings()
        let defaultFloor = preset.defaultFloors.value.line.map { $0.description } ?? "80"
        let rules = modules.filter { $0.reasonNotMeasurable == nil && $0.name != Settings.defaultModule }
            .map { module in
                let advice = modules.isUntestedExecutable(module) ? "  # \(untested)" : ""
                guard let measured else { return "    # \(quoted(module.name)): { line: \(defaultFloor) }\(advice)" }
                guard let tally = measured[module.name], tally.total > 0 else {
                    return "    # \(quoted(module.name)): not measured, the default applies"
                }
                return
                    "    \(quoted(module.name)): { line: \(tally.wholePercent) }  # \(tally.covered)/\(tally.total) lines\(tally.covered == 0 ? advice : "")"
            }
        let lines =
            [
                "# What a run of this package must reach before kanmon lets it pass.",
                "# `kanmon config check` reads it again, `kanmon config show` prints every value and where it came from.",
                "version: \(SettingDeclaration.currentVersion)",
                "",
                "# The name under which runs are kept; left out, it is the URL of origin or the name of the package.",
                "# project: example/video-kit",
                "",
                "coverage:",
                "  # Floors in percent by module: line, region, function. The first that matches wins; * and ? match many.",
                "  modules:",
            ] + rules + [
                "    default: { line: \(defaultFloor) }",
                "  # What the executable lines of a change must reach, once it has min-lines of them.",
                "  # patch: { line: 90, min-lines: 5 }",
                "  # What all modules together must reach, and by how many points they may fall behind the base.",
                "  # project: { line: 80, may-drop: 0.5 }",
                "  # What every single file must reach.",
                "  # files: { line: 50 }",
                "  # Files whose lines do not count; ** stands for any folders.",
                "  # exclude: [ \"Sources/*/Generated/**\" ]",
                "",
                "tests:",
                "  # Fewer executed tests than this are a violation.",
                "  minimum: \(preset.minimumTests.value)",
                "  # How often a test that failed is run again: one that passes then is flaky, and shown as such.",
                "  retries: \(preset.retries.value)",
                "  # How long the whole run may take, how long one test, and how long the tests may be silent.",
                "  timeouts: { run: \(preset.runTimeout.value.timeLimitDescription), "
                    + "test: \(preset.testTimeout.value.timeLimitDescription), "
                    + "silence: \(preset.silenceTimeout.value.timeLimitDescription) }",
                "",
                "# Scripts before the build and after the tests; variables that the tests get to see beside the usual ones.",
                "# run:",
                "#   before: [ scripts/generate.sh ]",
                "#   generated: [ \"Sources/*/Generated/**\" ]",
                "#   environment: [ DATABASE_URL, \"MODE=test\" ]",
            ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let untested =
        "no test depends on this executable: move its code into a library that tests import, or set its floor to 0"

    /// The name as a key: without quotes if every YAML reader takes it for text.
    private static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): index > 0
            default: false
            }
        }
        let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]
        guard !isPlain || name.isEmpty || words.contains(name.lowercased()) else { return name }
        let escaped = name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
