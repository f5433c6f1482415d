import RunModel
import TestSupport

@testable import Gate

extension WorstCase {
    /// Failures at long paths, and files of owners that have to be asked about all of a path.
    static func owners(_ form: CodeOwnersForm) -> [(run: TestRun, verdict: Verdict)] {
        var run = SampleRuns.passing()
        run.tests = (0..<RunOwners.mostTests).map { number in
            var test = result(number, .failed)
            let folders = Array(repeating: "aaa", count: 200).joined(separator: "/")
            test.location = SourceLocation(path: "\(folders)/\(name(number))", line: 1)
            return test
        }
        return texts(form).map { text in
            let verdict = Verdict(
                decision: .failed, violations: [], gaps: [], modules: [], policy: Policy(),
                owners: CodeOwnersFile(path: "CODEOWNERS", form: form, text: text))
            return (run: run, verdict: verdict)
        }
    }

    private static func texts(_ form: CodeOwnersForm) -> [String] {
        func lines(_ count: Int, _ line: (Int) -> String) -> String {
            (0..<count).map { line($0) }.joined(separator: "\n")
        }
        let names = lines(OwnerRules.mostLines) { "a\($0) @a" }
        let same = lines(OwnerRules.mostLines) { _ in "aaa/ @a" }
        let wild = lines(4000) { "*a*a*a*a\($0)* @a" }
        let people = (0..<OwnerRules.mostOwners).map { "@\($0)" }.joined(separator: " ")
        return switch form {
        case .gitHub: [names, same, wild]
        case .gitLab:
            [
                names, same, wild, lines(OwnerRules.mostLines / 2) { "[s\($0)] @a\naaa/" },
                lines(2500) { "[s\($0)] \(people)\naaa/" },
            ]
        case .gitea:
            [
                lines(200) { _ in "(.*a){2}(a|.*)*x @a" }, lines(2) { _ in "(a?){900}a{900} @a" },
                lines(OwnerRules.mostLines) { _ in "(((( @a" }, lines(500) { _ in ".* \(people)" },
            ]
        }
    }
}
