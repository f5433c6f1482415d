package import Access
import Foundation
import Gate
import RunModel
import Storage

/// Keeps what each receiver was told last, and has the messages made of what changed on default branches since.
///
/// It is on the disk, and written after the messages; their ids come from what they tell. So a server that is killed in
/// between makes the same messages again, and loses none.
package struct WebhookLedger {
    /// How many states are told one by one where several came since the last look; of more, only the newest.
    private static let mostStates = 20

    let folder: WebhookFolder
    let news: WebhookNews

    package init(folder: WebhookFolder, news: WebhookNews) { (self.folder, self.news) = (folder, news) }

    /// Makes the messages of everything that was not told yet.
    func look(at moment: Date) throws {
        let hooks = try folder.hooks().filter { $0.disabled == nil }
        guard !hooks.isEmpty else { return }
        var cursors = try hooks.map { try folder.cursors(of: $0) }
        var isChanged = hooks.map { _ in false }
        for project in try news.store.projectNames() {
            let told = hooks.indices.filter { hooks[$0].isTold(of: project) }
            guard !told.isEmpty else { continue }
            let branch = try news.store.testedBranch(of: project)
            let states = try news.store.wholeRuns(project: project, branch: branch, limit: Self.mostStates + 1)
            for index in told {
                let at = cursors[index].firstIndex { Name($0.project) == Name(project) }
                let before = at.map { cursors[index][$0] }
                let after = try tell(hooks[index], project, branch, states, before, at: moment)
                guard after != before else { continue }
                isChanged[index] = true
                if let at { cursors[index][at] = after } else { cursors[index].append(after) }
            }
        }
        for index in hooks.indices where isChanged[index] { try folder.save(cursors[index], of: hooks[index]) }
    }

    /// Tells one receiver of one project.
    ///
    /// - Parameters:
    ///   - states: The latest states of the branch, the newest first.
    ///   - before: What was told last; without it, what is there now is where the telling begins.
    /// - Returns: What is told now.
    private func tell(
        _ hook: Webhook, _ project: String, _ branch: String?, _ states: [RunSummary], _ before: WebhookCursor?,
        at moment: Date
    ) throws -> WebhookCursor {
        let (day, state) = (CalendarDay(moment).description, states.first.map(WebhookNews.state) ?? "")
        var cursor = WebhookCursor(project: project, state: state, day: day, told: before?.told ?? [:])
        guard let newest = states.first, before?.state != state || before?.day != day else { return before ?? cursor }
        if let before, before.state != state {
            let known = states.firstIndex { WebhookNews.state($0) == before.state }
            for index in (0..<(known ?? 1)).reversed() {
                let earlier = states[(index + 1)...].first { !$0.isUntested }
                for message in try news.changes(to: states[index], from: earlier, on: branch, for: hook, at: moment) {
                    try folder.add(message, to: hook)
                }
            }
        }
        let message = try news.expiring(in: newest, on: branch, for: hook, told: &cursor.told, at: moment)
        if let message { try folder.add(message, to: hook) }
        return cursor
    }
}
