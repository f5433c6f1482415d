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
        (signs?.running() ?? []).filter { run in
            project.map { $0.utf8.elementsEqual(run.project.utf8) } ?? true
        }.map { LiveEntry($0, .running) }
    }

    /// Whether the store has a run.
    private func isStored(_ id: RunID) throws -> Bool {
        try store.summary(of: id) != nil
    }

    /// The progress of a run; `nil` if it is not in progress.
    func sign(of id: RunID) -> (run: LiveRun, standing: LiveSigns.Standing)? { signs?.find(id) }

    /// The page of a run in progress; for a stored run a redirect to its page.
    func livePage(_ id: RunID) async throws -> Answer {
        if try isStored(id) { return .found(links.href(.run(id))) }
        guard let (run, standing) = sign(of: id) else { throw Refusal.notFound }
        var (tail, reader) = (LogTail(), LogReader())
        let lines = LogPiece(tail.read(run.log), &reader).lines
        return try render(
            LivePage(LiveEntry(run, standing), log: lines, now: now(), links: links))
    }

    /// The state of a run in progress.
    func liveEntry(_ id: RunID) throws -> LiveEntry {
        guard let (run, standing) = sign(of: id) else { throw Refusal.notFound }
        return LiveEntry(run, standing)
    }

    /// The changes of a run in progress, as server-sent events.
    func liveEvents(_ id: RunID) throws -> Answer {
        guard let signs, signs.find(id) != nil else { throw Refusal.notFound }
        guard let seat = seats.take() else { throw Refusal.busy }
        let stream = LiveStream(id: id, signs: signs, limits: limits, seat: seat) { run, standing in
            LiveState(LiveEntry(run, standing), now: now())
        }
        var answer = Answer(status: .ok, contentType: "text/event-stream; charset=utf-8", body: [])
        // Asks proxies not to buffer the answer.
        if let name = HTTPField.Name("X-Accel-Buffering") { answer.fields[name] = "no" }
        answer.stream = { try await stream.write(to: &$0) }
        return answer
    }
}

extension LiveEntry {
    init(_ run: LiveRun, _ standing: LiveSigns.Standing) {
        let standings: [LiveSigns.Standing: Standing] = [.running: .running, .judging: .judging, .gone: .gone]
        self.init(
            id: run.runID, project: run.project, revision: run.revision, startedAt: run.startedAt,
            isPartial: run.isPartial, standing: standings[standing] ?? .gone)
        let progress = run.progress
        step = progress.step
        (built, toBuild) = (progress.built, progress.toBuild)
        (discovered, ended, failed) = (progress.discovered, progress.ended, progress.failed)
        failures = progress.failures
        running = progress.running
        expected = run.isPartial ? nil : run.expected
    }
}
