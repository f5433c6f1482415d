public import Mutation
public import RunModel

/// Which mutants are to be tried.
public struct MutationRequest: Sendable {
    /// The changed lines by path relative to the package; an empty range at a place where lines were removed.
    public var changed: [Name: [Range<Int>]]
    /// Which tests have to notice a mutant.
    public var tests: MutantTests
    /// How long the tests may take in all, those without a mutant included.
    public var budget: Duration
    /// The file by which the sources learn which mutant is in effect; nothing else may write it.
    public var switchFile: String

    package init(changed: [Name: [Range<Int>]], tests: MutantTests, budget: Duration, switchFile: String) {
        self.changed = changed
        self.tests = tests
        self.budget = budget
        self.switchFile = switchFile
    }
}
