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

    @Test func `an exclude is not held against a run that lost its coverage`() throws {
        var run = SampleRuns.passing()
        run.coverage = nil
        #expect(try Verdict(judging: run, by: Policy(excludes: ["**/*.y"])).decision == .undecided)
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
