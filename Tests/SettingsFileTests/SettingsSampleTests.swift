import Gate
import RunModel
import TestSupport
import Testing

@testable import SettingsFile

@Suite struct SettingsSampleTests {
    @Test func `a sample lists the modules with what they reach and reads back`() throws {
        let modules = SampleRuns.modules + ["動画", "yes", "with space", "a\"b\\c", "-x", "default"].map(Self.module)
        let measured = [
            "Core": CoverageTally(covered: 19, total: 20), "tool": CoverageTally(covered: 799, total: 1000),
            "動画": CoverageTally(covered: 3, total: 3), "yes": CoverageTally(covered: 0, total: 9),
            "with space": CoverageTally(), "a\"b\\c": CoverageTally(covered: 999, total: 1000),
        ]
        let settings = try Settings.read(text: Settings.sample(modules: modules, measured: measured), file: "f")
        let floors = [("Core", "95"), ("tool", "79"), ("動画", "100"), ("yes", "0"), ("a\"b\\c", "99")]
        #expect(
            settings.policy
                == Policy(modules: floors.map { ModuleRule(pattern: $0, floors: Floors(line: Percentage($1))) })
        )
        try settings.check(modules: modules)
        var rest = settings
        rest.modules = []
        #expect(rest.described().map(\.value) == Settings().described().map(\.value))
    }

    @Test func `without a measurement every module is a comment with the default floor, which applies anyway`() throws {
        let text = Settings.sample(modules: SampleRuns.modules)
        #expect(
            text == """
                # What a run of this package must reach before kanmon lets it pass.
                # `kanmon config check` reads it again, `kanmon config show` prints every value and where it came from.
                version: 1

                # The name under which runs are kept; left out, it is the URL of origin or the name of the package.
                # project: example/video-kit

                coverage:
                  # Floors in percent by module: line, region, function. The first that matches wins; * and ? match many.
                  modules:
                    # Core: { line: 80 }
                    # tool: { line: 80 }  # no test depends on this executable: move its code into a library that tests import, or set its floor to 0
                    default: { line: 80 }
                  # What the executable lines of a change must reach, once it has min-lines of them.
                  # patch: { line: 90, min-lines: 5 }
                  # What all modules together must reach, and by how many points they may fall behind the base.
                  # project: { line: 80, may-drop: 0.5 }
                  # What every single file must reach.
                  # files: { line: 50 }
                  # Files whose lines do not count; ** stands for any folders.
                  # exclude: [ "Sources/*/Generated/**" ]

                tests:
                  # Fewer executed tests than this are a violation.
                  minimum: 1
                  # How often a test that failed is run again: one that passes then is flaky, and shown as such.
                  retries: 0
                  # How long the whole run may take, how long one test, and how long the tests may be silent.
                  timeouts: { run: 30m, test: 2m, silence: 5m }

                # Scripts before the build and after the tests; variables that the tests get to see beside the usual ones.
                # run:
                #   before: [ scripts/generate.sh ]
                #   generated: [ "Sources/*/Generated/**" ]
                #   environment: [ DATABASE_URL, "MODE=test" ]

                """
        )
        #expect(try Settings.read(text: text, file: "f").policy == Policy())
    }

    @Test func `what the sample has in comments is valid too`() throws {
        let text = Settings.sample(modules: SampleRuns.modules)
            .replacing("# project:", with: "project:").replacing("# exclude:", with: "exclude:")
            .replacing("# run:", with: "run:").replacing("\n#   ", with: "\n  ").replacing("\n    # ", with: "\n    ")
        let settings = try Settings.read(text: text, file: "f")
        #expect(settings.modules.map(\.value.pattern) == ["Core", "tool"])
        #expect(settings.project.value == "example/video-kit")
        #expect(settings.excludes.map(\.value) == ["Sources/*/Generated/**"])
        #expect(settings.before.map(\.value) == [RunScript(words: ["scripts/generate.sh"])])
        #expect(settings.generated.map(\.value) == ["Sources/*/Generated/**"])
        #expect(
            settings.environment.map(\.value) == [
                EnvironmentVariable(name: "DATABASE_URL"), EnvironmentVariable(name: "MODE", value: "test"),
            ]
        )
    }

    private static func module(_ name: String) -> Module {
        Module(
            name: name, compilerName: "m", kind: .library, isSwift: true, path: "Sources/m", sources: [],
            dependencies: []
        )
    }
}
