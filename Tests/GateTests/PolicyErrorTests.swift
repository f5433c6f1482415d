import Gate
import RunModel
import TestSupport
import Testing

/// A policy that does not fit, and what is said of it.
struct Misfit: Sendable, CustomTestStringConvertible {
    var rules: [String] = []
    var excludes: [String] = []
    var error: String
    var hint: String?

    var testDescription: String { (rules + excludes).joined(separator: " ") }
}

@Suite struct PolicyErrorTests {
    @Test(arguments: [
        Misfit(
            rules: ["Cora"], error: "coverage.modules: the package has no module 'Cora'", hint: "write 'Core'"
        ),
        Misfit(
            rules: ["Network"], error: "coverage.modules: the package has no module 'Network'",
            hint: "the modules are 'Core', 'tool', 'CShim'"
        ),
        Misfit(
            rules: ["*UI"], error: "coverage.modules: '*UI' matches no module of the package",
            hint: "the modules are 'Core', 'tool', 'CShim'"
        ),
        Misfit(
            rules: ["*Tests"], error: "coverage.modules: '*Tests' matches no module of the package",
            hint: "the modules are 'Core', 'tool', 'CShim'"
        ),
        Misfit(
            rules: ["C*", "Core"], error: "coverage.modules: 'Core' never applies, because 'C*' comes before it",
            hint: "move 'Core' before 'C*': the first rule that matches wins"
        ),
        Misfit(
            rules: ["Co*", "Co*"], error: "coverage.modules: 'Co*' never applies, because 'Co*' comes before it",
            hint: "remove one of the two"
        ),
        Misfit(
            rules: ["*", "Co*"], error: "coverage.modules: 'Co*' never applies, because '*' comes before it",
            hint: "remove it, or move it before '*' if that matches more: the first rule that matches wins"
        ),
        Misfit(
            // The C target is no reason to keep it.
            rules: ["Cor?", "C*"], error: "coverage.modules: 'C*' never applies, because 'Cor?' comes before it",
            hint: "remove it, or move it before 'Cor?' if that matches more: the first rule that matches wins"
        ),
        Misfit(
            rules: ["CS*"],
            error: "coverage.modules: 'CS*' matches no module that is measurable: CShim (a C-family target)",
            hint: "remove the floor on 'CS*'"
        ),
        Misfit(
            rules: ["to*"], excludes: ["Sources/tool/*"],
            error: "coverage.modules: 'to*' matches no module that is measurable: tool (every file is excluded)",
            hint: "remove the floor on 'to*'"
        ),
        Misfit(
            rules: ["CShim"],
            error: "coverage.modules: 'CShim' has a floor but is not measurable: a C-family target",
            hint: "remove the floor on 'CShim'"
        ),
        Misfit(
            rules: ["CoreTests"],
            error: "coverage.modules: 'CoreTests' has a floor but is not measurable: a test target",
            hint: "remove the floor on 'CoreTests'"
        ),
        Misfit(
            rules: ["tool"], excludes: ["Sources/tool/*"],
            error: "coverage.modules: 'tool' has a floor but is not measurable: every file is excluded",
            hint: "remove the floor on 'tool'"
        ),
        Misfit(
            excludes: ["Sources/Cor/**"], error: "coverage.exclude: 'Sources/Cor/**' matches no file of the package",
            hint: "write 'Sources/Core/**'"
        ),
        Misfit(
            excludes: ["Sources/Core"], error: "coverage.exclude: 'Sources/Core' matches no file of the package",
            hint: "write 'Sources/Core/**'"
        ),
        Misfit(
            excludes: ["main.swift"], error: "coverage.exclude: 'main.swift' matches no file of the package",
            hint: "write '**/main.swift'"
        ),
        Misfit(
            excludes: ["Generated"], error: "coverage.exclude: 'Generated' matches no file of the package",
            hint: "remove it, or write a path relative to the package"
        ),
    ])
    func `a rule that matches nothing is an error with a way out`(misfit: Misfit) {
        let policy = Policy(
            modules: misfit.rules.map { ModuleRule(pattern: $0, floors: Floors(line: .percent(1))) },
            excludes: misfit.excludes.map { Exclusion(pattern: $0) }
        )
        let error = #expect(throws: PolicyError.self) { try Verdict(judging: SampleRuns.passing(), by: policy) }
        #expect(error?.description == misfit.error)
        #expect(error?.hint == misfit.hint)
    }

    @Test func `several patterns may take the modules of one together`() throws {
        let rules = ["Co*", "to*", "*o*"].map { ModuleRule(pattern: $0, floors: Floors(line: .percent(1))) }
        #expect(try Verdict(judging: SampleRuns.passing(), by: Policy(modules: rules)).decision == .passed)
    }

    @Test func `a star may match nothing, and so may a pattern whose modules all have their own rule`() throws {
        let rules = ["Core", "tool", "Co*", "*"].map { ModuleRule(pattern: $0, floors: Floors(line: .percent(1))) }
        let policy = Policy(modules: rules, excludes: ["*"])
        #expect(try Verdict(judging: SampleRuns.passing(), by: policy).decision == .passed)
    }

    @Test func `a file that only the coverage names can be excluded`() throws {
        var run = SampleRuns.passing()
        run.coverage?.files[0].path = "Sources/Core/Grammar.y"
        let policy = Policy(excludes: ["**/*.y"])
        #expect(try Verdict(judging: run, by: policy).modules[0].excludedFiles == 1)
    }

    @Test func `an exclude is not compared with a run that lost its coverage`() throws {
        var run = SampleRuns.passing()
        run.coverage = nil
        #expect(try Verdict(judging: run, by: Policy(excludes: ["**/*.y"])).decision == .undecided)
    }

    @Test func `no rule is compared with a run whose scripts failed before its targets were known`() throws {
        var run = SampleRuns.passing()
        run.coverage = nil
        run.tests = []
        run.modules = []
        run.gaps = [Gap(.beforeFailed, subject: "scripts/generate.sh", detail: "it exited with status 7")]
        let policy = Policy(
            modules: [ModuleRule(pattern: "Made", floors: Floors(line: .percent(1)))], excludes: ["Sources/Made/**"])
        #expect(try Verdict(judging: run, by: policy).gaps.map(\.code) == [.beforeFailed, .noTests])
    }

    @Test func `names that differ only in normalization form are two names`() {
        var run = SampleRuns.passing()
        run.modules[0] = Module(
            name: "Cafe\u{301}", compilerName: "Cafe_", kind: .library, isSwift: true, path: "Sources/Cafe",
            sources: [],
            dependencies: []
        )
        let policy = Policy(modules: [ModuleRule(pattern: "Caf\u{E9}", floors: Floors(line: .percent(1)))])
        #expect(throws: PolicyError.self) { try Verdict(judging: run, by: policy) }
    }
}
