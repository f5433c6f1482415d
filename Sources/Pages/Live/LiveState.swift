public import Foundation
import RunModel
import Wording

/// The state of a run in progress in words, for its page and for the events that update the page.
public struct LiveState: Sendable, Hashable, Encodable {
    /// One figure.
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
    public init(_ run: LiveEntry, now: Date) {
        switch run.standing {
        case .running: (style, sign) = ("running", "▸")
        case .judging: (style, sign) = ("running", "▸")
        case .gone: (style, sign) = ("undecided", "?")
        }
        headline = run.headline
        detail = run.prospect(at: now)
        permille = run.standing == .judging ? 1000 : run.permille(at: now)
        let visible = { (text: String) in LogReader.visible(text.cut(to: 300)) }
        failures = run.failures.map(visible)
        let left = run.left(at: now).map { $0 > 0 ? "about \(Self.time($0)) left" : "longer than usual" }
        figures = [
            Figure(
                name: "Build", figure: run.toBuild > 0 ? Figures.grouped(run.built) : "–",
                unit: run.toBuild > 0 ? "of \(Figures.grouped(run.toBuild)) steps" : "", detail: ""),
            Figure(
                name: "Tests", figure: run.ended > 0 || run.discovered > 0 ? Figures.grouped(run.ended) : "–",
                unit: run.discovered > 0 ? "of \(Figures.grouped(max(run.discovered, run.ended)))" : "",
                detail: run.standing == .running ? run.running.map(visible) ?? "" : ""),
            Figure(name: "Failed", figure: Figures.grouped(run.failed), unit: "so far", detail: ""),
            Figure(name: "Time", figure: Self.time(run.elapsed(at: now)), unit: "", detail: left ?? ""),
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
    /// What it does, in one line.
    var headline: String {
        switch standing {
        case .running: activity
        case .judging: "Judging what came of it"
        case .gone: "Broken off: its process is gone"
        }
    }

    private var activity: String {
        switch step {
        case nil, .describe: "Beginning"
        case .before: "Running what comes before the build"
        case .build: toBuild > 0 ? "Building, \(Figures.grouped(built)) of \(Figures.grouped(toBuild))" : "Building"
        case .list: "Listing the tests"
        case .test: "Testing, \(tests)" + (failed > 0 ? ", \(Figures.grouped(failed)) failed" : "")
        case .merge, .export, .inventory, .demangle: "Reading the coverage"
        case .after: "Running what comes after the tests"
        }
    }

    private var tests: String {
        discovered > 0
            ? "\(Figures.grouped(ended)) of \(Figures.grouped(max(discovered, ended)))" : Figures.counted(ended, "test")
    }

    /// The remaining time in a few words, and what the estimate is based on.
    func timeLeft(at now: Date) -> (words: String, detail: String?) {
        guard let left = left(at: now), let expected else {
            return ("not known", isPartial ? "a part of the tests" : "no whole run yet")
        }
        return (
            left > 0 ? "about \(LiveState.time(left))" : "over by \(LiveState.time(-left))",
            "as a rule \(LiveState.time(Int(expected.duration.components.seconds)))"
        )
    }

    /// The remaining time, and what the estimate is based on.
    func prospect(at now: Date) -> String {
        switch standing {
        case .judging: return "The evidence is complete. The page of the run follows in a moment."
        case .gone: return "It was ended from outside and left no result, so nothing is stored of it. Run it again."
        case .running: break
        }
        guard let left = left(at: now), let expected else {
            return isPartial
                ? "Only a part of the tests runs; how long that takes is not known."
                : "How long it takes is not known yet: no whole run on a machine of its kind is stored."
        }
        let median = LiveState.time(Int(expected.duration.components.seconds))
        let basis =
            expected.runs == 1
            ? "the last whole run took \(median)"
            : "the median of the last \(Figures.counted(expected.runs, "whole run")) is \(median)"
        return left > 0
            ? "About \(LiveState.time(left)) left: \(basis)."
            : "Longer than usual by \(LiveState.time(-left)): \(basis)."
    }
}
