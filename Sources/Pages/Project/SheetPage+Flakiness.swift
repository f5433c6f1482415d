import Foundation
public import Gate
public import RunModel
import Wording

/// How a test that is flaky, or was before it broke, fared over months.
public struct TestFlakiness: Sendable {
    /// What is known of it.
    public var history: FlakeHistory
    /// An entry of the quarantine that it could have; `nil` where none would help, or there is one.
    public var proposal: QuarantineProposal?

    package init(history: FlakeHistory, proposal: QuarantineProposal?) {
        (self.history, self.proposal) = (history, proposal)
    }
}

extension SheetPage {
    /// How many machines, toolchains and kinds of failures are listed.
    private static let mostPlaces = 10

    /// Since when a test is flaky, what it says, where it fails, and what could be done for a time.
    static func sections(of found: TestFlakiness, now: Date?, _ links: Links) -> [SheetSection] {
        let history = found.history
        let changes = [
            ("First change of outcome", history.firstChange), ("Last change of outcome", history.lastChange),
        ]
        var sections = [
            SheetSection(
                history.kind == .broken ? "Broken" : "Flaky",
                note: "\(history.headline) Looked at: \(history.window).",
                CellTable(
                    ["What", "Commit", "#Began"],
                    changes.compactMap { words, point -> [Cell]? in
                        guard let point else { return nil }
                        return [Cell.words(words)] + point.cells(now, links)
                    })),
            SheetSection(
                "What it says",
                note: note(on: history),
                CellTable(
                    ["Message", "#Runs", "First", "#Began", "Last", "#Began"],
                    history.failures.prefix(mostPlaces).map { failure -> [Cell] in
                        let said: [Cell] = [
                            .words(failure.said, "Message"), .figure(Figures.grouped(failure.count), "Runs"),
                        ]
                        return said + failure.first.cells(now, links) + failure.last.cells(now, links)
                    })),
            SheetSection("Where it fails", CellTable(["Where", "#Failed", "#Share", "#At 95 %"], places(of: history))),
        ]
        if let proposal = found.proposal {
            sections.append(
                SheetSection(
                    "Proposed quarantine", note: "\(proposal.words.capitalizedFirst).", CellTable([], []),
                    empty: EmptyList(
                        "Its failures need not block for a time.", proposal.advice, command: proposal.command)))
        }
        return sections
    }

    /// What the list of failures leaves out; `nil` where it has all.
    private static func note(on history: FlakeHistory) -> String? {
        let more = max(0, history.failures.count - mostPlaces)
        let left = [
            more == 0 ? nil : "\(Figures.counted(more, "more kind")) of failure",
            history.unread == 0 ? nil : "\(Figures.counted(history.unread, "older run")) in which it failed",
        ].compactMap { $0 }
        return left.isEmpty ? nil : "Not listed: \(left.joined(separator: ", "))."
    }

    private static func places(of history: FlakeHistory) -> [[Cell]] {
        var places: [(words: String, rate: FailureRate)] = []
        for place in history.machines.prefix(mostPlaces) { places.append(("on \(place.name)", place.rate)) }
        for place in history.toolchains.prefix(mostPlaces) { places.append(("with \(place.name)", place.rate)) }
        if history.alone.executions > 0 { places.append(("alone", history.alone)) }
        if history.inCompany.executions > 0 { places.append(("among other tests", history.inCompany)) }
        var rows = places.map { words, rate -> [Cell] in
            [
                .words(words, "Where"), .figure(rate.tally, "Failed"), .figure(rate.share, "Share"),
                .figure(rate.interval, "At 95 %"),
            ]
        }
        if history.isOrderDependent {
            rows.append([
                .words("when one test runs at a time", "Where"), .words("it failed in the latest full run", "Failed"),
                .figure("–", "Share"), .figure("–", "At 95 %"),
            ])
        }
        return rows
    }

    /// How often it fails by the hour of the day; `nil` where that says nothing.
    static func hours(of history: FlakeHistory) -> Chart? {
        let points = history.hours.enumerated().map { hour, rate in
            Chart.Point(
                value: Double(rate.executions), bad: Double(rate.failures),
                date: Date(timeIntervalSince1970: Double(hour) * 3600), href: nil,
                words: "\(clock(hour)): failed in \(Figures.grouped(rate.failures)) of "
                    + Figures.counted(rate.executions, "run"))
        }
        return Chart.bars(
            points, title: "Hours", summary: "runs by the hour in which they began, UTC",
            legend: [("passed", "did not fail"), ("failed", "failed")],
            days: [0, 12, 23].map { clock($0) })
    }

    private static func clock(_ hour: Int) -> String { "\(hour < 10 ? "0" : "")\(hour):00" }
}

extension FlakeHistory.Point {
    /// Its commit as a link to the run, and when that began.
    fileprivate func cells(_ now: Date?, _ links: Links) -> [Cell] {
        [
            .name(name, links.find(.run(run)), detail: commit == nil ? nil : "run \(run.short)"),
            .moment(startedAt, now: now),
        ]
    }
}
