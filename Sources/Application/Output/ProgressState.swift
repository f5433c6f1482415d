import Exports
import RunModel
import TestRunning
import Wording

/// The state of a run in progress and its text; pure, so that the text can be tested.
struct ProgressState: Sendable, Equatable {
    private(set) var step: RunStep.Kind?
    private(set) var built = (done: 0, of: 0)
    private(set) var discovered = 0
    private(set) var ended = 0
    private(set) var failures = 0
    private(set) var running: String?
    private(set) var mutants = (done: 0, of: 0)
    private(set) var repetitions = (done: 0, of: 0)
    /// The start of the step, counted from the creation of this value.
    private(set) var begin = Duration.zero
    /// How long the run may take.
    private var expected: ExpectedTime?

    /// Begins with the expected duration only.
    init(expected: ExpectedTime? = nil) { self.expected = expected }

    static func == (left: ProgressState, right: ProgressState) -> Bool {
        left.step == right.step && left.built == right.built && left.discovered == right.discovered
            && left.mutants == right.mutants && left.repetitions == right.repetitions && left.ended == right.ended
            && left.failures == right.failures && left.running == right.running
    }

    /// Takes one event; returns a line to print without a terminal, if there is one.
    ///
    /// - Parameter moment: Counted from the creation of this value.
    mutating func take(_ news: RunProgress, at moment: Duration = .zero) -> String? {
        switch news {
        case .waiting(let owner):
            return "waiting for another run of this package: \(TerminalText.safe(owner))"
        case .chose(let tests):
            return TerminalText.safe(tests)
        case .began(let step):
            self.step = step
            repetitions = (0, 0)
            begin = moment
            return Self.announcement(of: step).map { $0 + (step == .build ? expectation : "") }
        case .ended(.build, let duration):
            return "built in \(Figures.duration(duration))"
        case .buildFailed(let duration):
            return "build failed after \(Figures.duration(duration))"
        case .ended(.test, let duration):
            // Not every engine reports tests while they run; then only the report has their number.
            return "tested in \(Figures.duration(duration))" + (ended > 0 ? ": \(counts)" : "")
        case .ended:
            return nil
        case .built(let done, let total):
            built = (done, max(total, built.of))
            return nil
        case .discovered(let count):
            discovered = count
            return nil
        case .triedMutants(let done, let total):
            let isFirst = mutants.of == 0
            mutants = (done, total)
            return isFirst ? "trying \(Figures.counted(total - done, "mutant"))" : nil
        case .repeatedTests(let done, let total):
            let isFirst = repetitions.of == 0
            repetitions = (done, total)
            return isFirst ? "repeating tests" : nil
        case .mutantSurvived(let mutant):
            return TerminalText.safe("survived: \(mutant.words)")
        case .testStarted(let name):
            running = name
            return nil
        case .testEnded(let name, let outcome):
            ended += 1
            guard outcome.isFailure else { return nil }
            failures += 1
            return "\(outcome.sign) \(TerminalText.safe(name)) \(outcome.label)"
        }
    }

    /// The updating line on a terminal, cut to its columns.
    func line(columns: Int, at moment: Duration = .zero) -> String {
        let text =
            switch step {
            case _ where mutants.of > 0: "\(mutants.done) of \(Figures.counted(mutants.of, "mutant")) tried"
            case _ where repetitions.of > 0: "repeating tests: \(repetitions.done + 1) of \(repetitions.of)"
            case .build:
                (built.of > 0 ? "building \(built.done)/\(built.of)" : "building") + left(built.done, built.of, moment)
            case .test:
                "testing \(counts)" + left(ended, discovered, moment)
                    + (running.map { " · \(TerminalText.safe($0))" } ?? "")
            case .some(let step): Self.announcement(of: step) ?? step.rawValue
            case nil: ""
            }
        return TerminalText.cut(text + leftInAll(at: moment), to: columns - 1)
    }

    /// How long earlier runs took, printed once without a terminal. It is no promise: where nothing has to be built, the run is over
    /// much sooner.
    private var expectation: String {
        guard let expected else { return "" }
        let time =
            expected.duration < .seconds(1)
            ? "less than 1 s" : "about \(Self.words(expected.duration.components.seconds))"
        return expected.runs == 1
            ? " (the last run took \(time))" : " (the last \(expected.runs) runs took \(time), their median)"
    }

    /// The expected remaining time of the run; empty if it takes longer than expected, and at first, when it may be over at once.
    private func leftInAll(at moment: Duration) -> String {
        guard step != nil, moment >= .seconds(3), let expected, expected.duration > moment else { return "" }
        return " · about \(Self.words((expected.duration - moment).components.seconds)) left in all"
    }

    private static func words(_ seconds: Int64) -> String {
        seconds < 90 ? "\(max(1, seconds)) s" : "\((seconds + 30) / 60) min"
    }

    /// The remaining time of the step at its current pace; empty while that is uncertain.
    private func left(_ done: Int, _ total: Int, _ moment: Duration) -> String {
        let seconds = (moment - begin).components.seconds
        guard seconds >= 3, done > 0, done < total else { return "" }
        return ", about \(Self.words(seconds * Int64(total - done) / Int64(done))) left"
    }

    private var counts: String {
        let total = discovered > 0 ? "\(ended) of \(max(discovered, ended))" : "\(ended)"
        return failures == 0 ? "\(total)" : "\(total), \(failures) failed"
    }

    private static func announcement(of step: RunStep.Kind) -> String? {
        switch step {
        case .describe: nil
        case .before: "running the scripts before the build"
        case .build: "building"
        case .list: nil
        case .test: "testing"
        case .map: "mapping the tests of Swift Testing"
        case .merge: nil
        case .export: "reading the coverage"
        case .inventory, .demangle: nil
        case .after: "running the scripts after the tests"
        }
    }
}
