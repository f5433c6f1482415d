import Gate
import RunModel
import Wording

extension Verdict {
    /// Everything besides its tests that keeps a run from passing, as results for readers that know nothing but tests: one error
    /// for each gap, one failure for each other violation; empty for a run that passed.
    ///
    /// A run that did not pass always has a red entry: its headline, if there is no other.
    func obstacles(of run: TestRun) -> [TestResult] {
        guard decision != .passed || !gaps.isEmpty || !violations.isEmpty else { return [] }
        var names = Set<Name>()
        func result(_ title: String, _ outcome: Outcome, _ message: String) -> TestResult {
            var name = title
            var number = 2
            // Readers refuse a suite that has two tests of the same name.
            while !names.insert(Name(name)).inserted {
                name = "\(title) (\(number))"
                number += 1
            }
            return TestResult(
                id: TestID(module: "Kanmon", suite: "Gate", name: name), library: .foreign, outcome: outcome,
                attempts: [TestAttempt(outcome: outcome, issues: [Issue(message: message)])])
        }
        var results = gaps.map { gap in
            result(
                Self.entry(gap.code.rawValue, gap.subject), .notRun, "\(gap.words.sentence)\n\(gap.words.remedy)")
        }
        results += violations.filter { !$0.isTestFailure }.map { violation in
            result(
                Self.entry(violation.rule, violation.title), .failed,
                [violation.sentence, violation.hint].compactMap(\.self).joined(separator: "\n"))
        }
        if results.isEmpty, !run.failures.contains(where: { excuse(for: $0) == nil }) {
            results = [result(decision.rawValue, decision == .failed ? .failed : .notRun, Headline(run, self).sentence)]
        }
        return results
    }

    /// The remark on a run that did not pass, for reports of coverage alone; `nil` for one that passed. May hold untrusted text.
    func reservation(of run: TestRun) -> String? {
        decision == .passed ? nil : TerminalText.safe(Headline(run, self).sentence)
    }

    private static func entry(_ code: String, _ subject: String) -> String {
        subject.isEmpty ? code : "\(code): \(TerminalText.cut(TerminalText.safe(subject), to: 200))"
    }
}
