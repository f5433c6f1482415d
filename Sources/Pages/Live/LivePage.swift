public import Foundation
public import RunModel
public import Web
import Wording

/// A run in progress: its state, its failures, and the end of its log. The page updates itself with its script, or
/// reloads every few seconds without JavaScript.
public struct LivePage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.livePage
    /// Title and way back.
    public let frame: PageFrame

    /// How many lines of the log are shown.
    private static let lines = 400

    let revision: RevisionWords
    let moment: Moment
    let state: LiveState
    /// The address of the events; `nil` if there will be none.
    let events: String?
    let hasNoFailures: Bool
    /// The end of the log; `nil` for a run of another machine, which keeps it.
    let log: LogText?
    /// Who tells of a run of another machine, and how far; `nil` for one of this machine.
    let sender: String?
    let elsewhere: String?

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - entry: The run.
    ///   - log: The last lines of its log.
    public init(_ entry: LiveEntry, log: [LogLine], now: Date, links: Links = .dashboard) {
        let run = entry.run
        state = LiveState(entry, now: now)
        frame = PageFrame(
            title: "\(state.sign) \(state.headline): \(run.project)",
            crumbs: [Link(run.project, links.project(run.project))], here: "run \(run.runID.short)", links: links,
            refresh: entry.status == .gone ? nil : Self.refresh)
        revision = RevisionWords(run.revision, package: run.project, project: nil, links: links)
        moment = Moment(run.startedAt, now: now)
        events = entry.status == .gone ? nil : links.find(.events(run.runID))
        hasNoFailures = run.progress.failures.isEmpty
        self.log = entry.sender == nil ? LogText(lines: log.suffix(Self.lines), most: Self.lines) : nil
        sender = entry.sender?.words
        elsewhere = entry.sender.map { _ in Self.elsewhere }
    }

    private static let elsewhere =
        "The log is on the machine that runs the tests, and comes with the run. This page shows what the machine last said; "
        + "half a minute after its last word the run is no longer shown."

    /// The seconds after which the page reloads without JavaScript.
    private static let refresh = 10
}

/// The end of a log.
struct LogText: Sendable {
    let lines: [LogLine]
    /// How many lines the script keeps.
    let most: Int

    init(lines: some Sequence<LogLine>, most: Int) {
        self.lines = Array(lines)
        self.most = most
    }
}

extension LiveSender {
    /// `on agent-3, token ci`; untrusted text.
    var words: String { (machine.map { "on \($0), " } ?? "on another machine, ") + "token \(token)" }
}

extension SheetSection {
    /// The runs in progress; `nil` if there are none.
    init?(running runs: [LiveEntry], showsProject: Bool, now: Date, links: Links) {
        guard !runs.isEmpty else { return nil }
        let rows = runs.map { entry -> [Cell] in
            let run = entry.run
            let words = RevisionWords(run.revision, package: run.project, project: nil, links: links)
            let permille = entry.permille(at: now)
            let left = entry.timeLeft(at: now)
            let subject = showsProject ? run.project : words.subject
            let place = [
                showsProject ? run.revision?.subject : nil, run.revision?.branch,
                run.revision?.commit.map { String($0.prefix(8)) }, entry.sender?.words,
            ]
            return [
                Cell(style: "state running", sign: "▸", link: Link(entry.headline, links.href(.live(run.runID)))),
                .name(subject, links.href(.live(run.runID)), detail: place.compactMap { $0 }.joined(separator: " · ")),
                Cell(
                    style: "bars",
                    bar: Bar(
                        label: "about \(permille / 10) % done", parts: [("test", permille), ("rest", 1000 - permille)])),
                .figure(left.words, "Left", detail: left.detail), .moment(run.startedAt, now: now),
            ]
        }
        self.init(
            "Running now",
            CellTable(
                ["State", showsProject ? "Project" : "Commit", "Progress", "#Time left", "#Began"], rows)
        )
    }
}
