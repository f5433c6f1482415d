import Evidence
import Foundation
import Gate
import HTTPTypes
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// The runs in progress, of a project or of all, the newest first.
    func running(project: String? = nil) -> [LiveEntry] {
        let wanted = project.map { Name($0) }
        return live.running { reader.sees($0) && (wanted == nil || wanted == Name($0)) }
    }

    /// Whether the store has a run.
    private func isStored(_ id: RunID) throws -> Bool {
        try store.summary(of: id) != nil
    }

    /// The page of a run in progress; for a stored run a redirect to its page.
    func livePage(_ id: RunID) async throws -> Answer {
        if try isStored(id) { return .found(links.href(.run(id))) }
        let entry = try liveEntry(id)
        var (tail, reader) = (LogTail(), LogReader())
        let lines = LogPiece(tail.read(entry.run.log), &reader).lines
        return try render(LivePage(entry, log: lines, now: now(), links: links))
    }

    /// The state of a run in progress.
    func liveEntry(_ id: RunID) throws -> LiveEntry {
        guard let entry = live.find(id) else { throw Refusal.notFound }
        return entry
    }

    /// The changes of a run in progress, as server-sent events.
    func liveEvents(_ id: RunID, _ context: DashboardContext) throws -> Answer {
        guard live.find(id) != nil else { throw Refusal.notFound }
        guard let permit = streams.take(for: reader.isKnown ? name(context) : nil) else { throw Refusal.busy }
        let stream = LiveStream(id: id, runs: live, limits: limits, permit: permit) { LiveState($0, now: now()) }
        var answer = Answer(status: .ok, contentType: "text/event-stream; charset=utf-8", body: [])
        // Asks proxies not to buffer the answer.
        if let name = HTTPField.Name("X-Accel-Buffering") { answer.fields[name] = "no" }
        answer.stream = { try await stream.write(to: &$0) }
        return answer
    }
}
