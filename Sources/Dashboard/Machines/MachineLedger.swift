import Access
import Dispatch
import Evidence
import Foundation
import RunModel
import Synchronization

/// What a server remembers of the machines that call it, beyond the runs that they delivered: when each was heard from, what waits
/// there, and what it was refused.
///
/// It is kept in a small file beside the store, because it is derived from nothing. The file is written a few seconds after a
/// change, so that calls do not wait for the disk: a server that is killed forgets these seconds, and no run.
public final class MachineLedger: Sendable {
    /// How long refusals are counted, and how far back the runs of machines are, in days.
    static let days = 30
    /// After how many days without a call a machine is forgotten.
    private static let kept = 90
    /// How many records each token may have, so that nobody can fill the memory with made-up names. For one more, the one
    /// that was heard from longest ago is forgotten.
    private static let mostOfToken = 500
    /// The largest file that is read, in bytes.
    private static let largest = 64 << 20
    /// How long a change waits before it is written.
    private static let delay = DispatchTimeInterval.seconds(5)
    /// The longest reason that is kept, in bytes.
    private static let longestReason = 300

    private struct Version: Decodable {
        let schemaVersion: Int
    }

    private struct Content: Codable {
        var schemaVersion = 1
        var machines: [MachineRecord] = []
    }

    private struct State {
        var records: [MachineRecord.Key: MachineRecord] = [:]
        var isChanged = false
        var isScheduled = false
    }

    private let path: String?
    private let state = Mutex(State())
    private let writing = DispatchQueue(label: "kanmon.machines")

    /// Reads what is remembered.
    ///
    /// A file that cannot be read is replaced, since it is only shown; one of a newer version is neither read nor
    /// written.
    ///
    /// - Parameter path: The file, which need not exist; `nil` to remember only until the server ends.
    public init(path: String?) {
        let bytes = path.flatMap { try? SmallFile.read($0, limit: Self.largest) }.map { Data($0) } ?? Data()
        let version = (try? JSONDecoder.steady.decode(Version.self, from: bytes))?.schemaVersion ?? 1
        self.path = version == 1 ? path : nil
        guard version == 1, let content = try? JSONDecoder.steady.decode(Content.self, from: bytes) else { return }
        state.withLock { state in for record in content.machines { state.records[record.key] = record } }
    }

    /// Remembers that a machine called, and perhaps that it was refused.
    ///
    /// - Parameters:
    ///   - call: Who called, and about which project.
    ///   - waiting: How many runs wait there; `nil` if it did not say so.
    ///   - refusal: What it was refused; `nil` if it was not.
    func note(_ call: DeliveryCall, waiting: Int?, refusal: RefusedDelivery?, at moment: Date) {
        guard let token = call.token else { return }
        var record = MachineRecord(
            host: call.claim.host, token: token.name, project: call.project, isAttested: token.scope.attests,
            heard: moment)
        state.withLock { state in
            if let known = state.records[record.key] {
                (record.refused, record.lastRefusal) = (known.refused, known.lastRefusal)
                (record.waiting, record.version) = (known.waiting, known.version)
            } else {
                Self.makeRoom(for: record, in: &state.records)
            }
            record.waiting = waiting ?? record.waiting
            record.version = call.claim.version ?? record.version
            if var refusal {
                refusal.reason = refusal.reason.cut(toBytes: Self.longestReason)
                record.count(refusal, first: MachineRecord.day(of: moment) - Self.days)
            }
            state.records[record.key] = record
            state.isChanged = true
        }
        schedule()
    }

    /// Everything that is remembered, in no order.
    var records: [MachineRecord] { state.withLock { Array($0.records.values) } }

    /// Writes what has changed since the last time. What cannot be written is tried again with the next change.
    public func save() {
        writing.sync { write() }
    }

    private func write() {
        guard let path else { return }
        let records = state.withLock { state -> [MachineRecord]? in
            state.isScheduled = false
            guard state.isChanged else { return nil }
            state.isChanged = false
            return Array(state.records.values)
        }
        guard let records else { return }
        let latest = records.map(\.heard).max() ?? .distantPast
        let kept = records.filter { latest.timeIntervalSince($0.heard) < Double(Self.kept) * 86_400 }
            .sorted { ($0.token, $0.host ?? "", $0.project ?? "") < ($1.token, $1.host ?? "", $1.project ?? "") }
        guard let bytes = try? JSONEncoder.steadyLines.encode(Content(machines: kept)),
            (try? SmallFile.replace(path, with: Array(bytes))) != nil
        else { return state.withLock { $0.isChanged = true } }
    }

    private func schedule() {
        guard path != nil else { return }
        let isNew = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isNew else { return }
        writing.asyncAfter(deadline: .now() + Self.delay) { [weak self] in self?.write() }
    }

    private static func makeRoom(
        for record: MachineRecord, in records: inout [MachineRecord.Key: MachineRecord]
    ) {
        let own = records.filter { $0.key.token == record.key.token }
        guard own.count >= mostOfToken, let oldest = own.min(by: { $0.value.heard < $1.value.heard })?.key else {
            return
        }
        records[oldest] = nil
    }
}
