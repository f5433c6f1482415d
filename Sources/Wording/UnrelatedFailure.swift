public import Gate
public import RunModel

extension Verdict {
    /// The words for a failed test that executes none of the changed functions; `nil` for any other, and if nothing was recorded.
    public func relation(of test: TestResult) -> String? {
        change?.isUnrelated(test.id) == true ? "executes none of the changed functions" : nil
    }
}
