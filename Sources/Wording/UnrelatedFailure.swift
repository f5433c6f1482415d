/// What is said of a failed test that has nothing to do with the change, as far as it was recorded.
public enum UnrelatedFailure {
    /// A fragment behind the name of a test.
    public static let words = "executes none of the changed functions"
}
