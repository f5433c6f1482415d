import Gate
import RunModel
import SettingsFile
import TestSupport
import Testing

/// A text that is refused, and what is said of it.
struct Mistake: Sendable, CustomTestStringConvertible {
    let text: String
    let error: String
    let hint: String?

    init(_ text: String, _ error: String, _ hint: String? = nil) {
        self.text = text
        self.error = error
        self.hint = hint
    }

    var testDescription: String { text }
}

@Suite struct SettingsErrorTests {
    @Test(arguments: [
        Mistake("covrage: {}", "f:1:1: unknown key 'covrage'", "write 'coverage'"),
        Mistake(
            "version: 1\njobs: 4", "f:2:1: unknown key 'jobs'",
            "the keys here are 'version', 'project', 'base', 'coverage', 'tests', 'build', 'run', 'hooks', 'owners', 'causes'"
        ),
        Mistake("coverage:\n  module: {}", "f:2:3: unknown key 'module' in coverage", "write 'modules'"),
        Mistake("tests: { timeouts: { runs: 3m } }", "f:1:22: unknown key 'runs' in tests.timeouts", "write 'run'"),
        Mistake(
            "run: { after: [ { run: a, limit: 3m } ] }", "f:1:27: unknown key 'limit' in run.after",
            "the keys here are 'run', 'timeout'"
        ),
        Mistake(
            "coverage: { modules: { Core: { lines: 80 } } }", "f:1:32: unknown key 'lines' in coverage.modules.Core",
            "write 'line'"
        ),
        Mistake(
            "coverage: { modules: { Core: { branch: 80 } } }",
            "f:1:32: coverage.modules.Core: Swift has no branch coverage, so that no branch can have a floor",
            "write 'region', which parts a line at its conditions"
        ),
        Mistake(
            "coverage: { exclude: [ { path: a, why: b } ] }", "f:1:35: unknown key 'why' in coverage.exclude",
            "the keys here are 'path', 'reason'"
        ),
        Mistake(
            "<<: {}", "f:1:1: unknown key '<<'",
            "the keys here are 'version', 'project', 'base', 'coverage', 'tests', 'build', 'run', 'hooks', 'owners', 'causes'"
        ),
    ])
    func `an unknown key is named with the nearest right spelling`(mistake: Mistake) { mistake.expect() }

    @Test(arguments: [
        Mistake("- a", "f:1:1: the file must be a mapping of keys to values, not a list"),
        Mistake("word", "f:1:1: the file must be a mapping of keys to values, not 'word'"),
        Mistake("coverage: 80", "f:1:11: coverage must be a mapping of keys to values, not '80'"),
        Mistake(
            "coverage: { modules: [ Core ] }",
            "f:1:22: coverage.modules must be a mapping of modules to floors, not a list"),
        Mistake(
            "coverage: { modules: { Core: [ 80 ] } }",
            "f:1:30: coverage.modules.Core must be a percentage or a mapping of metrics, not a list"
        ),
        Mistake(
            "coverage: { modules: { Core: \"80\" } }",
            "f:1:30: coverage.modules.Core must be a percentage, not the text '80' in quotes", "write 80 without quotes"
        ),
        Mistake(
            "coverage: { exclude: Sources/a.swift }", "f:1:22: coverage.exclude must be a list, not 'Sources/a.swift'",
            "write [ \"Sources/a.swift\" ]"
        ),
        Mistake("coverage: { exclude: [ [ a ] ] }", "f:1:24: coverage.exclude must be a text, not a list"),
        Mistake("coverage: { ratchet: yes }", "f:1:22: coverage.ratchet must be true or false, not 'yes'"),
        Mistake("tests: { minimum: many }", "f:1:19: tests.minimum must be a whole number, not 'many'"),
        Mistake("tests: { minimum: 1.5 }", "f:1:19: tests.minimum must be a whole number, not '1.5'"),
        Mistake("tests:\n  minimum:", "f:2:11: tests.minimum must be a whole number, not nothing"),
        Mistake("project:\n", "f:1:9: project must be a text, not nothing"),
        Mistake("run: { environment: { A: b } }", "f:1:21: run.environment must be a list, not a mapping"),
        Mistake("{ [ a ]: b }", "f:1:3: a key must be a text, not a list"),
    ])
    func `a wrong type says what is wanted`(mistake: Mistake) { mistake.expect() }

    @Test(arguments: [
        Mistake(
            "coverage: { exclude: [ { reason: b } ] }", "f:1:24: coverage.exclude: has no path",
            "write { path: \"Sources/Generated/**\", reason: \"made by protoc\" }"
        ),
        Mistake(
            "base: ../x", "f:1:7: base: '../x' is not the name of a branch",
            "write a name such as main or release/6.x"
        ),
        Mistake("version: 2", "f:1:10: version: this kanmon reads version 1, not 2", "update kanmon"),
        Mistake("version: 0", "f:1:10: version: this kanmon reads version 1, not 0", "write version: 1"),
        Mistake(
            "project: a/../b", "f:1:10: project: 'a/../b' is not a name",
            "write up to 200 bytes such as example/video-kit"),
        Mistake("project: \"a\\e\"", "f:1:10: project: holds a control character"),
        Mistake("project: ''", "f:1:10: project: is empty"),
        Mistake(
            "coverage: { modules: { Core: 80% } }", "f:1:30: coverage.modules.Core: '80%' is not a percentage",
            "write 80"),
        Mistake(
            "coverage: { modules: { Core: { line: 101 } } }",
            "f:1:38: coverage.modules.Core.line: '101' is not a percentage",
            "write 0 to 100 with at most three decimals, such as 80 or 79.5"
        ),
        Mistake(
            "coverage: { modules: { Core: 8e1 } }", "f:1:30: coverage.modules.Core: '8e1' is not a percentage",
            "write 0 to 100 with at most three decimals, such as 80 or 79.5"
        ),
        Mistake(
            "coverage: { modules: { Core: } }", "f:1:30: coverage.modules.Core: sets no floor",
            "write { line: 80 } or remove it"),
        Mistake(
            "coverage: { modules: { Sources/Core: 80 } }",
            "f:1:24: coverage.modules: 'Sources/Core' is a path, not a module",
            "name a target of the package; coverage.exclude takes paths"
        ),
        Mistake(
            "coverage: { exclude: [ ./Sources/a.swift ] }",
            "f:1:24: coverage.exclude: './Sources/a.swift' holds '.' or '..', so that it matches no file",
            "write a path relative to the package, such as 'Sources/a.swift'"
        ),
        Mistake(
            "coverage: { exclude: [ Sources/a/ ] }",
            "f:1:24: coverage.exclude: 'Sources/a/' ends with '/', so that it matches no file",
            "write a path relative to the package, such as 'Sources/a/**'"
        ),
        Mistake(
            "coverage: { exclude: [ / ] }",
            "f:1:24: coverage.exclude: '/' begins at the root of the disk, so that it matches no file",
            "write a path relative to the package"
        ),
        Mistake(
            "tests: { minimum: 0 }", "f:1:19: tests.minimum: 0 is not from 1 to 2000000",
            "a run without a test never passes; write 1 or more"
        ),
        Mistake(
            "tests: { timeouts: { run: 30 } }", "f:1:27: tests.timeouts.run: '30' is not a time limit",
            "write 30s or 30m"),
        Mistake(
            "tests: { timeouts: { silence: soon } }", "f:1:31: tests.timeouts.silence: 'soon' is not a time limit",
            "write at most a week, such as 90s, 5m or 1h30m"
        ),
        Mistake("tests: { retries: 11 }", "f:1:19: tests.retries: 11 is not from 0 to 10"),
        Mistake("tests: { jobs: 65 }", "f:1:16: tests.jobs: 65 is not from 1 to 64"),
        Mistake(
            "tests: { jobs: 0 }", "f:1:16: tests.jobs: 0 is not from 1 to 64", "write 1 for one process after the other"
        ),
        Mistake(
            "tests: { bundles: { A: maybe } }", "f:1:24: tests.bundles.A: 'maybe' is neither on nor off",
            "write on or off"
        ),
        Mistake(
            "run: { before: [ \"a | b\" ] }",
            "f:1:18: run.before: 'a | b' has signs that only a shell reads, and none does",
            "put it into a script, or write the words as a list: [ sh, -c, \"…\" ]"
        ),
        Mistake(
            "run: { before: [ { timeout: 3m } ] }", "f:1:18: run.before: says nothing to run",
            "write { run: scripts/generate.sh, timeout: 2m }"
        ),
        Mistake(
            "run: { environment: [ =a ] }", "f:1:23: run.environment: '' is not the name of a variable",
            "write NAME or NAME=value"),
        Mistake(
            "run: { environment: [ A, A=b ] }", "f:1:26: 'run.environment: A' is set more than once", "keep one of them"
        ),
        Mistake(
            "run: { environment: [ LD_PRELOAD ] }",
            "f:1:23: run.environment: 'LD_PRELOAD' belongs to kanmon, which records the tests with it", "remove it"
        ),
        Mistake(
            "run: { environment: [ GIT_DIR ] }",
            "f:1:23: run.environment: 'GIT_DIR' leads SwiftPM's own git into another repository",
            "set it in the test that needs it"
        ),
        Mistake(
            "run: { isolation: chroot }",
            "f:1:19: run.isolation: 'chroot' is none of reaper, cgroup, pid-namespace, best",
            "write best to take what the machine allows"
        ),
    ])
    func `a bad value says what a good one is`(mistake: Mistake) { mistake.expect() }

    @Test(arguments: [
        Mistake("version: 1\nversion: 1", "f:1:1: 'version' is set more than once", "keep one of them"),
        Mistake(
            "coverage:\n  modules:\n    A: 1\n    \"A\": 2", "f:3:5: 'A' is set more than once", "keep one of them"),
        Mistake(
            "coverage:\n\tmodules: {}", "f:2:1: not valid YAML: a tab cannot indent", "write spaces in place of the tab"
        ),
        Mistake(
            "coverage: { modules: {",
            "f:1:23: not valid YAML: did not find expected node content while parsing a flow node"
        ),
        Mistake("a: b: c", "f:1:5: not valid YAML: mapping values are not allowed in this context"),
        Mistake("version: 1\nproject: \u{7}", "f:2:10: not valid YAML: control characters are not allowed"),
        Mistake(
            "version: 1\n---\nversion: 1", "f:2:1: a second document is not supported in settings",
            "remove '---' and what follows"),
    ])
    func `what is no YAML says where`(mistake: Mistake) { mistake.expect() }

    @Test func `a settings file of more than a mebibyte is refused`() {
        let text = String(repeating: "#", count: 1 << 20) + "\n"
        let mistake = Mistake(
            text, "f: 1048577 bytes are more than the 1048576 that settings may have",
            "name the file that is meant to hold the settings"
        )
        mistake.expect()
    }

    @Test func `a rule that does not fit the package is refused with its location`() throws {
        let settings = try Settings.read(text: "coverage:\n  modules:\n    Core: 80\n    Tool: 80", file: "f")
        let error = #expect(throws: SettingsError.self) { try settings.check(modules: SampleRuns.modules) }
        #expect(error?.description == "f:4:5: coverage.modules: the package has no module 'Tool'")
        #expect(error?.hint == "write 'tool'")
    }

    @Test func `an exclude that the gate refuses is found in the file`() throws {
        let settings = try Settings.read(text: "coverage: { exclude: [ Generated ] }", file: "f")
        let error = #expect(throws: PolicyError.self) {
            try Verdict(judging: SampleRuns.passing(), by: settings.policy)
        }
        #expect(
            error.map { settings.located($0).description }
                == "f:1:24: coverage.exclude: 'Generated' matches no file of the package"
        )
    }

    @Test func `an exclude that matches no source yet is a doubt and no error`() throws {
        let settings = try Settings.read(
            text: "coverage: { exclude: [ \"*\", Sources/Core/**, Core.swift, Generated/** ] }", file: "f")
        try settings.check(modules: SampleRuns.modules)
        let doubts = settings.excludesWithoutFile(in: SampleRuns.modules)
        #expect(
            doubts.map(\.description) == [
                "f:1:46: coverage.exclude: 'Core.swift' matches no file of the package",
                "f:1:58: coverage.exclude: 'Generated/**' matches no file of the package",
            ])
        #expect(doubts.map(\.hint) == ["write '**/Core.swift'", "remove it, or write a path relative to the package"])
    }

    @Test func `rules that fit are not refused`() throws {
        let settings = try Settings.read(text: "coverage: { modules: { Core: 80, \"t*\": 1, default: 3 } }", file: "f")
        try settings.check(modules: SampleRuns.modules)
    }
}

extension Mistake {
    /// Whether the text is refused with these words.
    func expect(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
        let refusal = #expect(throws: SettingsError.self, sourceLocation: sourceLocation) {
            try Settings.read(text: text, file: "f")
        }
        #expect(refusal?.description == error, sourceLocation: sourceLocation)
        #expect(refusal?.hint == hint, sourceLocation: sourceLocation)
    }
}
