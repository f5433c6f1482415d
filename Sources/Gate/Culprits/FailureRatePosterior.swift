import Foundation

/// What is believed of how often a test fails where the commits on one side of a culprit are built.
///
/// It is a mixture of two Beta distributions: what is usual, and, with little weight, that the rate is quite another. So a surprise
/// is improbable at first and learnt from when it repeats itself.
struct FailureRatePosterior: Sendable {
    private var usual: Belief
    private var unusual: Belief

    /// Of a test before it was broken. It hardly ever fails, unless it is known to be flaky.
    ///
    /// - Parameter past: How often it failed and passed before; of more than twenty executions the share counts.
    static func unbroken(knowing past: (failures: Int, passes: Int)) -> FailureRatePosterior {
        var rate = FailureRatePosterior(
            usual: Belief(weight: 0.75, failures: 0.1, passes: 5),
            unusual: Belief(weight: 0.25, failures: 1, passes: 3))
        var (failures, passes) = (max(0, past.failures), max(0, past.passes))
        let executions = failures + passes
        if executions > most {
            // Where it failed at all, that is not forgotten.
            failures = failures == 0 ? 0 : max(1, failures * most / executions)
            passes = most - failures
        }
        rate.usual.learn(failures, passes)
        rate.unusual.learn(failures, passes)
        return rate
    }

    /// Of a test that is broken. It nearly always fails, unless what broke it shows only sometimes.
    ///
    /// Both are as likely at first, though the second is rare. A pass where the test is broken makes a later commit look like the culprit,
    /// and with less weight whoever has such a test is told of a certainty that is not there. That costs two runs where nothing is left
    /// to chance.
    static let broken = FailureRatePosterior(
        usual: Belief(weight: 0.5, failures: 30, passes: 0.05),
        unusual: Belief(weight: 0.5, failures: 3, passes: 1))

    /// Of a test that is broken, where each rate is as likely at first.
    static let brokenAtAnyRate = FailureRatePosterior(
        usual: Belief(weight: 0.5, failures: 1, passes: 1), unusual: Belief(weight: 0.5, failures: 1, passes: 1))

    /// How many past executions count at most, so that recent ones outweigh old ones.
    private static let most = 20

    /// Allocates memory for `executions` further executions.
    mutating func prepare(for executions: Int) {
        usual.grow(to: executions)
        unusual.grow(to: executions)
    }

    /// The logarithm of how probable a row of executions is, in this order, and how probable it is that the next one fails.
    ///
    /// - Precondition: `prepare(for:)` was called with as many executions, or more.
    func estimate(_ failures: Int, _ passes: Int) -> (evidence: Double, nextFails: Double) {
        let (one, other) = (usual.evidence(failures, passes), unusual.evidence(failures, passes))
        let most = max(one, other)
        let (share, rest) = (exp(one - most), exp(other - most))
        let next = share * usual.nextFails(failures, passes) + rest * unusual.nextFails(failures, passes)
        return (most + log(share + rest), next / (share + rest))
    }
}

/// A Beta distribution with the logarithm of its weight, and tables by which it is evaluated without a special function.
private struct Belief: Sendable {
    private var weight: Double
    private var failures: Double
    private var passes: Double
    /// The sums of the logarithms of the first n numbers from `failures`, `passes` and both on.
    private var ofFailures: [Double] = [0]
    private var ofPasses: [Double] = [0]
    private var ofBoth: [Double] = [0]

    init(weight: Double, failures: Double, passes: Double) {
        (self.weight, self.failures, self.passes) = (log(weight), failures, passes)
    }

    /// Takes executions for known: what follows is told with them in mind.
    mutating func learn(_ failed: Int, _ passed: Int) {
        grow(to: failed + passed)
        weight = evidence(failed, passed)
        failures += Double(failed)
        passes += Double(passed)
        (ofFailures, ofPasses, ofBoth) = ([0], [0], [0])
    }

    mutating func grow(to executions: Int) {
        for count in ofBoth.count - 1..<max(ofBoth.count - 1, executions) {
            ofFailures.append(ofFailures[count] + log(failures + Double(count)))
            ofPasses.append(ofPasses[count] + log(passes + Double(count)))
            ofBoth.append(ofBoth[count] + log(failures + passes + Double(count)))
        }
    }

    func evidence(_ failed: Int, _ passed: Int) -> Double {
        weight + ofFailures[failed] + ofPasses[passed] - ofBoth[failed + passed]
    }

    func nextFails(_ failed: Int, _ passed: Int) -> Double {
        (failures + Double(failed)) / (failures + passes + Double(failed + passed))
    }
}
