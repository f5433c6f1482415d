import Foundation
import Gate
import RunModel
import Wording

extension SheetSection {
    /// How many entries of the quarantine are listed.
    private static let mostExpiring = 20

    /// The entries of the quarantines of projects that have ended or end soon; `nil` where there is none.
    init?(expiring projects: [ProjectState], showsProject: Bool, now: Date?, links: Links) {
        let found = projects.flatMap { project in project.expiring.map { (project: project.name, entry: $0) } }
            .sorted { $0.entry.expires < $1.entry.expires }
        guard !found.isEmpty else { return nil }
        let days = LastDays(today: now.map { CalendarDay($0) })
        let more = found.count - Self.mostExpiring
        self.init(
            "Quarantine that ends soon",
            note: more > 0 ? "\(Figures.counted(more, "more entry", "more entries")) not listed." : nil,
            CellTable(
                ["Test", "Owner", "Last day"],
                found.prefix(Self.mostExpiring).map { project, entry in
                    [
                        .name(
                            entry.test, links.find(.list(.exceptions, project: project)),
                            detail: showsProject ? project : nil),
                        .whole(entry.owner, "Owner"), days.cell(entry.expires),
                    ]
                }))
    }

    /// In how many green runs of a project a retry hid a flaky test; `nil` where it hid none.
    init?(hidden project: ProjectState, links: Links) {
        guard project.hiddenFlakes > 0 else { return nil }
        self.init(
            "Green by a retry",
            note: "In \(Figures.counted(project.hiddenFlakes, "green run")) of the last "
                + "\(Figures.counted(SheetPage.flakyDays, "day")) a test failed and passed when it was repeated.",
            CellTable([], []),
            more: [links.find(.list(.flaky, project: project.name)).map { Link("Flaky tests", $0) }])
    }
}
