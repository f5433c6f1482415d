public import Foundation
public import RunModel
import Wording

/// The state of a run in progress in words, for its page and for the events that update the page.
public struct LiveState: Sendable, Hashable, Encodable {
    struct Figure: Sendable, Hashable, Encodable {
        let name: String
        let figure: String
        let unit: String
        let detail: String
    }

    let style: String
    let sign: String
    let headline: String
    let detail: String
    let permille: Int
    let figures: [Figure]
    let failures: [String]

    /// The state of a run at a moment.
    public init(_ entry: LiveEntry, now: Date) {
        let progress = entry.run.progress
        switch entry.status {
        case .running: (style, sign) = ("running", "▸")
        case .judging: (style, sign) = ("running", "▸")
        case .gone: (style, sign) = ("undecided", "?")
        }
        headline = entry.headline
        detail = entry.prospect(at: now)
        permille = entry.status == .judging ? 1000 : entry.permille(at: now)
        let visible = { (text: String) in LogReader.visible(text.cut(to: 300)) }
        failures = progress.failures.map(visible)
        let left = entry.left(at: now).map { $0 > 0 ? "about \(Self.time($0)) left" : "longer than usual" }
        figures = [
            Figure(
                name: "Build", figure: progress.toBuild > 0 ? Figures.grouped(progress.built) : "–",
                unit: progress.toBuild > 0 ? "of \(Figures.grouped(progress.toBuild)) steps" : "", detail: ""),
            Figure(
                name: "Tests",
                figure: progress.ended > 0 || progress.discovered > 0 ? Figures.grouped(progress.ended) : "–",
                unit: progress.discovered > 0 ? "of \(Figures.grouped(max(progress.discovered, progress.ended)))" : "",
                detail: entry.status == .running ? progress.running.map(visible) ?? "" : ""),
            Figure(name: "Failed", figure: Figures.grouped(progress.failed), unit: "so far", detail: ""),
            Figure(name: "Time", figure: Self.time(entry.elapsed(at: now)), unit: "", detail: left ?? ""),
        ]
    }

    /// A time in words: `41 s`, `12 min 5 s`, `1 h 4 min`.
    static func time(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
        default: "\(Figures.grouped(seconds / 3600)) h \(seconds % 3600 / 60) min"
        }
    }
}

extension LiveEntry {
    /// How long it will take; `nil` when nobody knows, or when this is no whole run.
    public var expected: ExpectedTime? { run.isPartial ? nil : run.expected }

    /// How long it has been running, in seconds.
    public func elapsed(at now: Date) -> Int {
        max(0, Int(exactly: now.timeIntervalSince(run.startedAt).rounded(.down)) ?? 0)
    }

    /// How many seconds are left; less than none when it takes longer than runs did, `nil` when nobody knows.
    func left(at now: Date) -> Int? {
        guard status == .running else { return nil }
        return expected.map { Int($0.duration.components.seconds) - elapsed(at: now) }
    }

    /// How far it is, in thousandths: by the time that runs take, else by what the step is made of.
    func permille(at now: Date) -> Int {
        if let seconds = expected?.duration.components.seconds, seconds > 0 {
            return min(990, elapsed(at: now) * 1000 / Int(seconds))
        }
        let progress = run.progress
        let (done, total) =
            switch progress.step {
            case .build: (progress.built, progress.toBuild)
            case .test: (progress.ended, progress.discovered)
            default: (0, 0)
            }
        return total > 0 ? min(990, done * 1000 / total) : 0
    }

    /// What it does, in one line.
    var headline: String {
        switch status {
        case .running: activity
        case .judging: "Judging the run"
        case .gone: "Aborted: its process is gone"
        }
    }

    private var activity: String {
        let progress = run.progress
        return switch progress.step {
        case nil, .describe: "Beginning"
        case .before: "Running the scripts before the build"
        case .build:
            progress.toBuild > 0
                ? "Building, \(Figures.grouped(progress.built)) of \(Figures.grouped(progress.toBuild))" : "Building"
        case .list: "Listing the tests"
        case .test: "Testing, \(tests)" + (progress.failed > 0 ? ", \(Figures.grouped(progress.failed)) failed" : "")
        case .map: "Mapping the tests of Swift Testing"
        case .merge, .export, .inventory, .demangle: "Reading the coverage"
        case .after: "Running the scripts after the tests"
        }
    }

    private var tests: String {
        let (ended, discovered) = (run.progress.ended, run.progress.discovered)
        return discovered > 0
            ? "\(Figures.grouped(ended)) of \(Figures.grouped(max(discovered, ended)))" : Figures.counted(ended, "test")
    }

    /// The remaining time in a few words, and what the estimate is based on.
    func timeLeft(at now: Date) -> (words: String, detail: String?) {
        guard let left = left(at: now), let expected else {
            return ("not known", run.isPartial ? "partial run" : "no full run yet")
        }
        return (
            left > 0 ? "about \(LiveState.time(left))" : "over by \(LiveState.time(-left))",
            "usually \(LiveState.time(Int(expected.duration.components.seconds)))"
        )
    }

    /// The remaining time, and what the estimate is based on.
    func prospect(at now: Date) -> String {
        switch status {
        case .judging: return "The evidence is complete. The page of the run will appear in a moment."
        case .gone: return "It was ended from outside and left no result, so it is not stored. Run it again."
        case .running: break
        }
        guard let left = left(at: now), let expected else {
            return run.isPartial
                ? "This is a partial run; how long it takes is unknown."
                : "How long it takes is unknown: no full run on this class of machine is stored."
        }
        let median = LiveState.time(Int(expected.duration.components.seconds))
        let basis =
            expected.runs == 1
            ? "the last full run took \(median)"
            : "the median of the last \(Figures.counted(expected.runs, "full run")) is \(median)"
        return left > 0
            ? "About \(LiveState.time(left)) left: \(basis)."
            : "Longer than usual by \(LiveState.time(-left)): \(basis)."
    }
}
