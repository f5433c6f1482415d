public import Mutation
public import RunModel

/// The events of a run in progress. Names are untrusted text.
public enum RunProgress: Sendable, Hashable {
    /// Another run uses the scratch folder; sent once.
    case waiting(owner: String)
    /// The selected tests, in words.
    case chose(String)
    /// A step begins; the two lists are one phase, and so are the two processes of the engine `direct`.
    case began(RunStep.Kind)
    /// A step is over.
    case ended(RunStep.Kind, Duration)
    /// The build has failed, or was ended early.
    case buildFailed(Duration)
    /// The progress of the build, by its own count, which may still grow.
    case built(Int, of: Int)
    /// How many tests the binary lists; parameterized ones count once.
    case discovered(Int)
    /// A test began.
    case testStarted(name: String)
    /// A test ended.
    case testEnded(name: String, outcome: Outcome)
    /// Of how many mutants nothing more is to be tried.
    case triedMutants(Int, of: Int)
    /// How often the tests of a round were repeated so far.
    case repeatedTests(Int, of: Int)
    /// No test noticed a mutant.
    case mutantSurvived(Mutant)
}
