import Exports
import Gate
import Pages
import RunModel
import Storage

extension DashboardResponder {
    /// All of a run.
    func judged(_ id: RunID) throws -> JudgedRun {
        guard let stored = try store.run(id) else { throw Refusal.notFound }
        return stored
    }

    /// What the gate said of a run when it was made.
    func verdict(of id: RunID) throws -> Verdict {
        guard let verdict = try store.ownVerdict(of: id) else { throw Refusal.notFound }
        return verdict
    }

    /// A run as it is judged for a commit.
    func judged(_ id: RunID, for commit: String) throws -> JudgedRun {
        guard let stored = try store.run(id, for: commit) else { throw Refusal.notFound }
        return stored
    }

    /// Data in the envelope that all have.
    func json(_ data: some Encodable, next: String? = nil, also: AlsoResponse = AlsoResponse()) throws -> Answer {
        let text = try Self.encode(DataResponse(data: data, next: next, also: also))
        return Answer.data(Array(text.utf8))
    }

    /// A value as a line: the same data has the same bytes, and so the same tag.
    static func encode(_ value: some Encodable) throws -> String { try JSONText.render(value) + "\n" }
}
