public import Foundation
public import Gate
public import RunModel
import Wording

extension SheetPage {
    /// What the gate lets pass for a time: why, who answers for it, and until when.
    ///
    /// - Parameters:
    ///   - exceptions: As they stood in the run; `nil` without one.
    ///   - titles: The display names of tests.
    ///   - run: The latest full run on the default branch.
    ///   - kept: The owner to whose entries the list is kept.
    ///   - order: The order of each table that was requested, as far as it has such a column.
    public static func exceptions(
        _ exceptions: Exceptions?, titles: [TestID: String] = [:], project: String, run: RunSummary?,
        kept: String? = nil, order: ListOrder? = nil, now: Date?, links: Links = .dashboard
    ) -> SheetPage {
        let cells = ExceptionCells(
            days: LastDays(today: now.map { CalendarDay($0) }), titles: titles, project: project, links: links)
        let sorting = self.sorting(.exceptions, project, kept: kept, order, links)
        var sections: [SheetSection] = []
        func add<Entry>(_ title: String, _ columns: [ListColumn<Entry, ExceptionCells>], _ entries: [Entry]?) {
            guard let entries, !entries.isEmpty else { return }
            sections.append(SheetSection(title, CellTable(columns, entries, cells, sorting: sorting)))
        }
        add("Waivers in force", waiverColumns, exceptions?.waivers)
        add("Tests in quarantine", quarantineColumns, exceptions?.quarantine)
        add("Test targets that are switched off", disabledTargetColumns, exceptions?.disabledTargets)
        if sections.isEmpty {
            sections.append(
                SheetSection(
                    nil, CellTable([], []),
                    empty: kept == nil
                        ? EmptyList(
                            "There are no exceptions.",
                            "No waiver is in force, no test is in quarantine, and no test target is switched off.")
                        : .nothingMatches))
        }
        return SheetPage(
            frame: PageFrame(
                title: "\(ProjectListKind.exceptions.title) of \(project)",
                crumbs: [Link(project, links.project(project))], here: ProjectListKind.exceptions.title.lowercased(),
                links: links),
            heading: ProjectListKind.exceptions.title, summary: origin(run), subject: subject(run, links),
            tabs: Tabs(of: project, selected: .list(.exceptions, project: project), links: links),
            filter: form(
                .exceptions, project, kept: kept, canBeKept: exceptions?.quarantine.isEmpty == false, order, links),
            sections: sections)
    }
}

/// How last days are told.
struct LastDays {
    let today: CalendarDay?

    func cell(_ day: CalendarDay?) -> Cell {
        guard let day else { return .whole("–", "Last day") }
        var cell = Cell.whole("\(day)", "Last day")
        cell.detail = today.map { today in
            let left = Int((day.start.timeIntervalSince(today.start) / 86_400).rounded())
            switch left {
            case ..<0: return "is over"
            case 0: return "today"
            default: return "\(Figures.counted(left, "day")) left"
            }
        }
        return cell
    }
}

/// What the cells of exceptions are made with, besides the exception.
struct ExceptionCells: Sendable {
    let days: LastDays
    /// The display names of tests.
    let titles: [TestID: String]
    let project: String
    let links: Links
}

extension SheetPage {
    typealias WaiverColumn = ListColumn<Exceptions.Waived, ExceptionCells>

    /// The columns of the list of waivers.
    static let waiverColumns: [WaiverColumn] = [
        WaiverColumn(
            .by(.name, "Waiver for"), before: { Name($0.waiver.subject) < Name($1.waiver.subject) }
        ) { waived, _ in
            let passes = waived.changes.map { $0.code.rawValue + $0.detail }.joined(separator: "; ")
            return Cell.name(
                waived.waiver.subject, nil, detail: waived.changes.isEmpty ? "the base has the change" : passes)
        },
        WaiverColumn("Reason") { waived, _ in Cell.words(waived.waiver.reason, "Reason") },
        WaiverColumn(.by(.expires, "Last day"), before: { $0.waiver.until < $1.waiver.until }) { waived, cells in
            cells.days.cell(waived.waiver.until)
        },
        WaiverColumn("Commit") { waived, cells in Cell.commit(waived.waiver.commit, waived.run?.route, cells.links) },
    ]

    typealias QuarantineColumn = ListColumn<QuarantineStatus, ExceptionCells>

    /// The columns of the list of tests in quarantine.
    static let quarantineColumns: [QuarantineColumn] = [
        QuarantineColumn(.by(.outcome, "Now"), before: { $0.gravity < $1.gravity }) { status, _ in
            Cell.state(status.outcome)
        },
        QuarantineColumn(.by(.name, "Test"), before: { Name($0.entry.test) < Name($1.entry.test) }) { status, cells in
            let fault = status.violation?.sentence
            guard let id = status.id else { return Cell.name(status.entry.test, nil, detail: fault) }
            return Cell.test(id, title: cells.titles[id], cells.project, cells.links, detail: fault)
        },
        QuarantineColumn(.by(.owner, "Owner"), before: { Name($0.entry.owner) < Name($1.entry.owner) }) { status, _ in
            Cell.whole(status.entry.owner, "Owner")
        },
        QuarantineColumn(.by(.expires, "Last day"), before: { $0.entry.expires < $1.entry.expires }) { status, cells in
            cells.days.cell(status.entry.expires)
        },
        QuarantineColumn("Reason") { status, _ in Cell.words(status.entry.reason, "Reason") },
    ]

    typealias DisabledTargetColumn = ListColumn<Exceptions.DisabledTarget, ExceptionCells>

    /// The columns of the list of test targets that are switched off; without a last day they stand behind all others.
    static let disabledTargetColumns: [DisabledTargetColumn] = [
        DisabledTargetColumn(.by(.name, "Test target"), before: { Name($0.name) < Name($1.name) }) { target, _ in
            Cell.name(target.name, nil)
        },
        DisabledTargetColumn("Waived because") { target, _ in
            Cell.words(target.waiver?.reason ?? "it was off at the base too", "Waived because")
        },
        DisabledTargetColumn(
            .by(.expires, "Last day"),
            before: { one, other in
                guard let until = one.waiver?.until else { return false }
                guard let otherUntil = other.waiver?.until else { return true }
                return until < otherUntil
            }
        ) { target, cells in
            cells.days.cell(target.waiver?.until)
        },
    ]
}

extension QuarantineStatus {
    /// The graver, the more it needs a look; what did not run is least.
    fileprivate var gravity: Int { outcome?.gravity ?? -1 }
}
