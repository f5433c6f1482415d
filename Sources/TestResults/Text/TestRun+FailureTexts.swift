import Evidence
import RunModel

extension TestRun {
    /// Cuts what failures say to the beginning and the end of each, and notes it: what nobody can read must not fill memory, store
    /// and pages. The evidence in the run directory has it whole.
    ///
    /// - Parameters:
    ///   - whole: How many bytes of all are kept as they are: of several reports as much as of two.
    ///   - before: How many texts the readers have cut already.
    mutating func cutFailureTexts(whole: Int = 2 * TextAllowance.whole, before: Int = 0) {
        var allowance = TextAllowance(whole: whole)
        for test in tests.indices where tests[test].outcome.isFailure {
            for attempt in tests[test].attempts.indices {
                for issue in tests[test].attempts[attempt].issues.indices {
                    let message = tests[test].attempts[attempt].issues[issue].message
                    tests[test].attempts[attempt].issues[issue].message = allowance.keep(message)
                }
                tests[test].attempts[attempt].output = tests[test].attempts[attempt].output.map { allowance.keep($0) }
            }
        }
        let cut = before + allowance.cut
        guard cut > 0 else { return }
        notes.append(Note(.textsCut, detail: cut == 1 ? "1 text was cut" : "\(cut) texts were cut"))
    }
}
