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
    ///   - run: The latest run of all tests on the default branch.
    ///   - kept: The owner to whose entries the list is kept.
    ///   - order: The order of each table that was asked for, as far as it has such a column.
    public static func exceptions(
        _ exceptions: Exceptions?, titles: [TestID: String] = [:], project: String, run: RunSummary?,
        kept: String? = nil, order: ListOrder? = nil, now: Date?, links: Links = .dashboard
    ) -> SheetPage {
        let days = LastDays(today: now.map { CalendarDay($0) })
        let sorting = self.sorting(.exceptions, project, kept: kept, order, links)
        var sections: [SheetSection] = []
        if let waivers = exceptions?.waivers, !waivers.isEmpty {
            sections.append(
                SheetSection(
                    "Waivers in force",
                    CellTable(ListColumns.waivers, waivers.map { $0.cells(days, links) }, sorting: sorting)))
        }
        if let quarantine = exceptions?.quarantine, !quarantine.isEmpty {
            sections.append(
                SheetSection(
                    "Tests in quarantine",
                    CellTable(
                        ListColumns.quarantine, quarantine.map { $0.cells(days, titles, project, links) },
                        sorting: sorting)))
        }
        if let targets = exceptions?.disabledTargets, !targets.isEmpty {
            sections.append(
                SheetSection(
                    "Test targets that are switched off",
                    CellTable(ListColumns.disabledTargets, targets.map { $0.cells(days) }, sorting: sorting)))
        }
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
                title: "\(ProjectList.exceptions.title) of \(project)", crumbs: [Link(project, links.project(project))],
                here: ProjectList.exceptions.title.lowercased(), links: links),
            heading: ProjectList.exceptions.title, summary: origin(run), subject: subject(run, links),
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

extension Exceptions.Waived {
    fileprivate func cells(_ days: LastDays, _ links: Links) -> [Cell] {
        let passes = changes.map { $0.code.rawValue + $0.detail }.joined(separator: "; ")
        return [
            .name(waiver.subject, nil, detail: changes.isEmpty ? "the base has the change" : passes),
            .words(waiver.reason, "Reason"), days.cell(waiver.until), .commit(waiver.commit, run?.route, links),
        ]
    }
}

extension QuarantineStatus {
    fileprivate func cells(
        _ days: LastDays, _ titles: [TestID: String], _ project: String, _ links: Links
    ) -> [Cell] {
        let fault = violation?.sentence
        return [
            .state(outcome),
            id.map { .test($0, title: titles[$0], project, links, detail: fault) }
                ?? .name(entry.test, nil, detail: fault),
            .whole(entry.owner, "Owner"), days.cell(entry.expires), .words(entry.reason, "Reason"),
        ]
    }
}

extension Exceptions.DisabledTarget {
    fileprivate func cells(_ days: LastDays) -> [Cell] {
        [
            .name(name, nil), .words(waiver?.reason ?? "it was off at the base too", "Waived because"),
            days.cell(waiver?.until),
        ]
    }
}
