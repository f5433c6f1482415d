public import Gate
public import RunModel

extension Verdict {
    /// What is said of a failed test that has nothing to do with the change; `nil` for any other, and where nothing was recorded.
    public func relation(of test: TestResult) -> String? {
        change?.isUnrelated(test.id) == true ? "executes none of the changed functions" : nil
    }
}
