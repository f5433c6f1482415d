import Foundation

/// A search for the commit that broke a test, which may fail without being broken and pass although it is.
///
/// The places are those of a line of commits: 0 is the good end, where the test passed, the last one the bad end, where it failed. A
/// test is broken from one place on. For each place the search knows how probable it is that this is the first one: at first by a
/// guess, then by what every run of the test tells. It asks for the run that tells most for its price. Both ends are run before
/// anything is named, and the search can end with the answer that the test fails at the good end or passes at the bad one.
///
/// It takes for granted that one commit broke the test and no later one mended it, that runs do not influence each other, and that the test
/// fails at one rate before and at another one from there on. Two readings of these rates have to agree: one by which a broken test nearly
/// always fails, and one that takes nothing for granted of that: a broken commit on which the test passes by chance looks like a good one.
///
/// There is no clock and no chance in it: the same answers lead to the same questions.
public struct CulpritSearch: Sendable {
    /// What is to be done next.
    public enum Step: Sendable, Hashable {
        /// Run the test `times` times with what the commit at a place builds.
        case run(Int, times: Int)
        /// One of these commits broke the test: only one, unless all but the last cannot be tested. The probability is that of all
        /// of them together, by the reading that gives them less.
        case named(ClosedRange<Int>, probability: Double)
        /// No commit can be named.
        case notNamed(Reason)
    }

    /// Why no commit can be named.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// The test fails at the good end: what it depends on has changed besides the commits, or it is flaky.
        case failsAtGoodEnd = "fails-at-good-end"
        /// The test passes at the bad end: it has failed for another reason than a commit, or it is flaky.
        case passesAtBadEnd = "passes-at-bad-end"
        /// The test cannot be run at the good end.
        case goodEndNotTested = "good-end-not-tested"
        /// The test cannot be run at the bad end.
        case badEndNotTested = "bad-end-not-tested"
        /// Several commits are left that the runs cannot tell apart: there may be no more of them, or too many commits cannot be tested.
        case severalLeft = "several-left"
        /// The time was over, or somebody ended the search.
        case cutShort = "cut-short"
    }

    /// What a run costs, in seconds or another unit.
    public struct Costs: Sendable, Hashable {
        /// To check out and build another commit.
        public var build: Double
        /// To run the test once.
        public var run: Double
        /// The place of what is built now; `nil` if nothing is.
        public var built: Int?

        /// Makes costs from their parts; by default a run costs the same everywhere.
        public init(build: Double = 0, run: Double = 1, built: Int? = nil) {
            (self.build, self.run, self.built) = (build, run, built)
        }

        fileprivate func price(of place: Int) -> Double { max(1e-6, run) + (place == built ? 0 : max(0, build)) }
    }

    /// So sure a commit has to be to be named: a wrong name costs somebody a day.
    public static let sureness = 0.999
    /// So sure it has to be also if a broken test may pass by chance at any rate.
    public static let surenessAtAnyRate = 0.99
    /// So sure it has to be that it is none of the commits; nobody is accused by that.
    static let surenessOfNone = 0.99
    /// How many runs are requested at most.
    public static let mostRuns = 200
    /// How many runs of one commit are requested at a time.
    static let mostAtOnce = 5
    /// How probable it is at first that it is none of the commits, for either of the two reasons.
    private static let noneAtFirst = 0.05

    /// The place of the bad end.
    public let last: Int
    /// How many of the requested runs were taken into account.
    public private(set) var runs = 0
    private var unbroken: FailureRatePosterior
    private var broken = FailureRatePosterior.broken
    private var brokenAtAnyRate = FailureRatePosterior.brokenAtAnyRate
    /// The logarithm of how probable it is at first that a test is broken from a place on; one more for "never".
    private let priors: [Double]
    private var failures: [Int]
    private var passes: [Int]
    private var isRun: [Bool]
    private var isSkipped: [Bool]

    /// Begins a search.
    ///
    /// - Parameters:
    ///   - weights: How likely each commit is to be the culprit at first, from the one behind the good end to the bad end; only
    ///     their ratios count, and each has to be above 0. What is named has to be found by runs: a weight alone cannot do that as
    ///     long as no weight is more than a hundred times another.
    ///   - past: How often the test failed and passed before, where nothing was broken.
    /// - Returns: `nil` without a commit.
    public init?(weights: [Double], past: (failures: Int, passes: Int) = (0, 0)) {
        guard !weights.isEmpty else { return nil }
        last = weights.count
        let sum = weights.reduce(0, +)
        let none = log(Self.noneAtFirst)
        let commits = weights.map { (weight: Double) -> Double in log((1 - 2 * Self.noneAtFirst) * weight / sum) }
        priors = [none] + commits + [none]
        unbroken = .unbroken(knowing: past)
        failures = Array(repeating: 0, count: last + 1)
        passes = failures
        isRun = Array(repeating: false, count: last + 1)
        isSkipped = isRun
    }

    /// How often the test failed and passed at a place, as far as the search was told.
    public func tally(at place: Int) -> (failures: Int, passes: Int) { (failures[place], passes[place]) }

    /// Takes in what is known of a place without a run, which is no check of an end.
    public mutating func know(failures failed: Int, passes passed: Int, at place: Int) {
        failures[place] += failed
        passes[place] += passed
        let executions = failures.reduce(0, +) + passes.reduce(0, +)
        unbroken.prepare(for: executions)
        broken.prepare(for: executions)
        brokenAtAnyRate.prepare(for: executions)
    }

    /// Takes in how a requested run ended.
    public mutating func observe(isFailure: Bool, at place: Int) {
        know(failures: isFailure ? 1 : 0, passes: isFailure ? 0 : 1, at: place)
        isRun[place] = true
        runs += 1
    }

    /// Takes in that the test cannot be run at a place, as where nothing builds.
    public mutating func skip(_ place: Int) { isSkipped[place] = true }

    /// What is to be done next.
    public func next(_ costs: Costs = Costs()) -> Step {
        let step = decision(costs)
        guard case .run(let place, _) = step else { return step }
        var costs = costs
        costs.built = place
        // What an end does the first time decides how the search goes on.
        if !isRun[place], place == 0 || place == last { return step }
        // Each run is requested as if those before it had ended as they probably will.
        var ahead = self
        for times in 1..<Self.mostAtOnce {
            ahead.observe(isFailure: ahead.probablyFails(at: place), at: place)
            guard case .run(place, _) = ahead.decision(costs) else { return .run(place, times: times) }
        }
        return .run(place, times: Self.mostAtOnce)
    }

    /// The same for a single run.
    func decision(_ costs: Costs = Costs()) -> Step {
        if isSkipped[last] { return .notNamed(.badEndNotTested) }
        if !isRun[last] { return .run(last, times: 1) }
        if isSkipped[0] { return .notNamed(.goodEndNotTested) }
        if !isRun[0] { return .run(0, times: 1) }
        var beliefs = beliefs(broken)
        let (before, never) = (beliefs.probabilities[0], beliefs.probabilities[last + 1])
        if before + never >= Self.surenessOfNone {
            return .notNamed(before > never ? .failsAtGoodEnd : .passesAtBadEnd)
        }
        if let (places, probability) = mostProbable(beliefs), probability >= Self.sureness {
            // Where only the other reading doubts, it says what to run.
            beliefs = self.beliefs(brokenAtAnyRate)
            let least = min(probability, beliefs.probability(of: places))
            if least >= Self.surenessAtAnyRate { return .named(places, probability: least) }
        }
        guard runs < Self.mostRuns, let place = mostTelling(beliefs, costs) else { return .notNamed(.severalLeft) }
        return .run(place, times: 1)
    }

    /// The most probable commit, or the commits of which nobody can say which it is as they cannot be tested, and how probable it is
    /// that it is one of them; `nil` if it is most probably none.
    public var leading: (places: ClosedRange<Int>, probability: Double)? {
        let beliefs = beliefs(broken)
        guard let found = mostProbable(beliefs),
            found.probability > max(beliefs.probabilities[0], beliefs.probabilities[last + 1])
        else { return nil }
        return (found.places, min(found.probability, self.beliefs(brokenAtAnyRate).probability(of: found.places)))
    }

    /// Of how many commits it is one, with a probability of 99 %, if it is a commit at all.
    public var left: Int {
        let commits = beliefs(broken).probabilities[1...last].sorted(by: >)
        let sum = commits.reduce(0, +)
        var (seen, count) = (0.0, 0)
        for probability in commits where seen < 0.99 * sum { (seen, count) = (seen + probability, count + 1) }
        return count
    }
}

extension CulpritSearch {
    /// What is believed now, of each place from which on the test may be broken.
    private struct Beliefs {
        /// How probable each is.
        var probabilities: [Double]
        /// How probable a failure is before it, and from it on, if it is that one.
        var failsBefore: [Double]
        var failsFrom: [Double]

        /// How probable it is that it is one of several.
        func probability(of places: ClosedRange<Int>) -> Double { probabilities[places].reduce(0, +) }
    }

    /// - Parameter broken: How often the test fails where it is broken.
    private func beliefs(_ broken: FailureRatePosterior) -> Beliefs {
        var beliefs = Beliefs(probabilities: priors, failsBefore: priors, failsFrom: priors)
        var (failed, passed) = (failures.reduce(0, +), passes.reduce(0, +))
        var (failedBefore, passedBefore) = (0, 0)
        var most = -Double.infinity
        for place in priors.indices {
            let before = unbroken.estimate(failedBefore, passedBefore)
            let from = broken.estimate(failed, passed)
            beliefs.probabilities[place] += before.evidence + from.evidence
            beliefs.failsBefore[place] = before.nextFails
            beliefs.failsFrom[place] = from.nextFails
            most = max(most, beliefs.probabilities[place])
            guard place <= last else { break }
            failedBefore += failures[place]
            passedBefore += passes[place]
            failed -= failures[place]
            passed -= passes[place]
        }
        var sum = 0.0
        for place in priors.indices {
            beliefs.probabilities[place] = exp(beliefs.probabilities[place] - most)
            sum += beliefs.probabilities[place]
        }
        for place in priors.indices { beliefs.probabilities[place] /= sum }
        return beliefs
    }

    /// The commit, or the commits that no run can tell apart, with the largest probability.
    private func mostProbable(_ beliefs: Beliefs) -> (places: ClosedRange<Int>, probability: Double)? {
        var best: (places: ClosedRange<Int>, probability: Double)?
        var (first, sum) = (1, 0.0)
        for place in 1...last {
            sum += beliefs.probabilities[place]
            // Behind a commit that cannot be tested, the next one may show what it broke.
            if isSkipped[place], place < last { continue }
            if sum > best?.probability ?? 0 { best = (first...place, sum) }
            (first, sum) = (place + 1, 0)
        }
        return best
    }

    /// The place of which a run tells most for its price; `nil` where no run tells anything.
    private func mostTelling(_ beliefs: Beliefs, _ costs: Costs) -> Int? {
        var best: (place: Int, worth: Double)?
        for (place, told) in information(beliefs).enumerated() where !isSkipped[place] {
            let worth = told / costs.price(of: place)
            if worth > best?.worth ?? 0 { best = (place, worth) }
        }
        return best?.place
    }

    /// How much a run at each place tells on average of where the test is broken.
    private func information(_ beliefs: Beliefs) -> [Double] {
        var (unbroken, unbrokenSpread, broken, brokenSpread) = (0.0, 0.0, 0.0, 0.0)
        for place in priors.indices {
            unbroken += beliefs.probabilities[place] * beliefs.failsBefore[place]
            unbrokenSpread += beliefs.probabilities[place] * Self.entropy(beliefs.failsBefore[place])
        }
        return (0...last).map { place in
            let probability = beliefs.probabilities[place]
            broken += probability * beliefs.failsFrom[place]
            brokenSpread += probability * Self.entropy(beliefs.failsFrom[place])
            unbroken -= probability * beliefs.failsBefore[place]
            unbrokenSpread -= probability * Self.entropy(beliefs.failsBefore[place])
            return Self.entropy(broken + unbroken) - brokenSpread - unbrokenSpread
        }
    }

    private func probablyFails(at place: Int) -> Bool {
        let beliefs = beliefs(broken)
        var fails = 0.0
        for start in priors.indices {
            let rate = start <= place ? beliefs.failsFrom[start] : beliefs.failsBefore[start]
            fails += beliefs.probabilities[start] * rate
        }
        return fails >= 0.5
    }

    /// The entropy of what happens with a probability, in nats.
    private static func entropy(_ probability: Double) -> Double {
        guard probability > 0, probability < 1 else { return 0 }
        let rest = 1 - probability
        return -(probability * log(probability) + rest * log(rest))
    }
}
