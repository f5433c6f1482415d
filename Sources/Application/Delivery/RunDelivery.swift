package import Delivery
package import Evidence
import Exports
import Foundation
package import Gate
import RunModel
import Synchronization
import UnixSignals

/// The delivery of what one command stored: records each run in the outbox, sends what waits, and says what came of it.
package struct RunDelivery: Sendable {
    /// Where the runs go.
    package enum Place: Sendable {
        /// Nobody named a server.
        case none
        /// A server is named that nothing can be sent to.
        case unusable(Problem)
        case server(DeliveryTarget)
    }

    package let process: ProcessContext
    package let home: Home
    /// Where the runs go.
    package let place: Place
    /// How long to try.
    package var timeout = Duration.seconds(2)
    /// Whether to try again within that time if the server cannot be reached.
    package var retries = false
    /// Whether the command fails if its runs could not be delivered.
    package var isRequired = false
    /// Whether runs of working copies are delivered.
    package var includesWorkingCopies = false
    /// Whether it is told why the server did not hear how the run goes.
    package var isVerbose: Bool

    /// The runs of this command.
    private let own = OwnRuns()
    /// Why the server did not hear how they go.
    private let liveFailure = LiveFailure()

    /// The delivery to a server, or to the one that the environment names.
    package init(process: ProcessContext, home: Home, server: String? = nil) {
        self.process = process
        self.home = home
        isVerbose = process.isVerbose
        do throws(Problem) {
            if let target = try DeliveryTarget.find(server: server, process) {
                place = .server(target)
                includesWorkingCopies = target.deliversWorkingCopies
            } else {
                place = .none
            }
        } catch {
            place = .unusable(error)
        }
    }

    /// The runs that wait.
    var outbox: Outbox { Outbox(folder: home.outbox) }

    /// Records that a run has to be delivered, if it is one that is.
    ///
    /// - Returns: Whether it was recorded now.
    package func record(_ directory: RunDirectory) -> Bool {
        if case .none = place { return false }
        // What cannot be read cannot be judged either, and that is reported there.
        guard let manifest = try? directory.manifest(), concerns(manifest) else { return false }
        do throws(OutboxError) {
            return try outbox.add(manifest.id, at: directory.path)
        } catch {
            StandardStreams.tell(
                "kanmon: warning: run \(manifest.id.short) cannot be recorded for delivery: \(error)")
            return false
        }
    }

    /// Whether a run is delivered: one of an exact tree, and no shard, because the merged run holds its shards.
    func concerns(_ manifest: RunManifest) -> Bool {
        manifest.selection?.shard == nil && concerns(manifest.revision)
    }

    /// Whether runs of a revision are delivered. A folder outside of git is the tree of no commit: like a working copy it is its owner's.
    private func concerns(_ revision: Revision?) -> Bool { revision?.isExact == true || includesWorkingCopies }

    /// Begins to tell the server how a run goes, if it is one that is delivered, or a shard of one.
    ///
    /// - Returns: What tells of it until it is cancelled, and that nobody has to wait for; `nil` if nothing is told.
    func follow(_ id: RunID, of revision: Revision?, in progressFiles: ProgressFiles) -> Task<Void, Never>? {
        guard case .server(let target) = place, concerns(revision) else { return nil }
        let report = LiveReport(
            target: target, proxies: ProxySettings(process.environment), machine: machine, failure: liveFailure)
        return Task { await report.follow(id, in: progressFiles) }
    }

    /// What this machine says of itself to a server.
    private var machine: MachineReport {
        MachineReport(host: process.hostName, version: Release.version, outbox: outbox)
    }

    /// Says once why the server did not hear how the runs of this command went.
    private func tellLiveFailure(_ target: DeliveryTarget) {
        guard isVerbose, let error = liveFailure.error else { return }
        StandardStreams.tell("kanmon: the progress was not shown on \(target.address): \(error.reason)")
    }

    /// Notes a run of this command.
    func note(_ judged: JudgedRun) { own.add(OwnRun(judged)) }

    /// Sends what waits, within the time, and says in one line what came of it.
    ///
    /// INT, TERM and HUP end the delivery; what waits goes on waiting.
    ///
    /// - Parameter isEnding: Whether a signal has ended the command, so that nothing is sent now.
    /// - Throws: The status `ioError` if the delivery is required and a run of this command was not delivered.
    package func deliver(isEnding: Bool = false) async throws {
        let own = own.all
        let target: DeliveryTarget
        switch place {
        case .none: return
        case .unusable(let problem):
            let waiting = outbox.entries.count
            if waiting > 0 {
                StandardStreams.tell("kanmon: \(Self.wait(waiting)) for the server: \(problem.reason)")
                if let hint = problem.hint { StandardStreams.tell("Try: \(hint)") }
            }
            return
        case .server(let found): target = found
        }
        tellLiveFailure(target)
        guard outbox.isWaiting else { return try conclude(own, target) }
        let report =
            isEnding
            ? OutboxSender.Report(waiting: outbox.entries.count { $0.refusal == nil }) : await send(to: target)
        let words = DeliveryWords(report, to: target.address, own: own)
        for line in words.lines { StandardStreams.tell("kanmon: \(line)") }
        if let hint = words.hint { StandardStreams.tell("Try: \(hint)") }
        try conclude(own, target)
    }

    /// Sends what waits to a server.
    ///
    /// - Parameters:
    ///   - retriesRefused: Whether runs that were refused before are offered once more.
    ///   - limit: How long all may take; `nil` for as long as there is progress.
    package func send(
        to target: DeliveryTarget, retriesRefused: Bool = false, hasNoLimit: Bool = false,
        progress: @escaping @Sendable (OutboxSender.Progress) -> Void = { _ in }
    ) async -> OutboxSender.Report {
        let (outbox, timeout, retries, machine) = (outbox, timeout, retries, machine)
        let proxies = ProxySettings(process.environment)
        outbox.removeUnfinished(now: process.now)
        let work = Task {
            do throws(DeliveryError) {
                return try await DeliveryClient.with(
                    target.address, token: target.token, proxies: proxies, machine: machine
                ) { client throws(DeliveryError) in
                    let sender = OutboxSender(
                        outbox, to: client, retries: retries, retriesRefused: retriesRefused
                    ) { Double.random(in: $0) }
                    return await sender.send(
                        timeout: timeout, limit: hasNoLimit ? nil : timeout, progress: progress)
                }
            } catch {
                return OutboxSender.Report(waiting: outbox.entries.count, failure: error)
            }
        }
        let guardian = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) { work.cancel() }
        }
        defer { guardian.cancel() }
        return await work.value
    }

    private func conclude(_ own: [OwnRun], _ target: DeliveryTarget) throws {
        guard isRequired else { return }
        let working = own.filter { $0.isOfWorkingCopy && !includesWorkingCopies }
        if let first = working.first {
            StandardStreams.tell(
                "kanmon: run \(first.id.short) is of a working copy, which is not delivered to \(target.address)\n"
                    + "Try: --deliver-working-copies, or --commit HEAD")
        }
        guard working.isEmpty, !own.contains(where: { outbox.contains($0.id) }) else { throw ExitStatus.ioError }
    }

    /// `2 runs wait`.
    package static func wait(_ count: Int) -> String {
        "\(Figures.counted(count, "run")) \(count == 1 ? "waits" : "wait")"
    }
}

/// What the delivery has to know of a run of its command.
package struct OwnRun: Sendable {
    let id: RunID
    /// The decision of this machine.
    let decision: Decision
    let isOfWorkingCopy: Bool

    init(_ judged: JudgedRun) {
        id = judged.run.id
        decision = judged.verdict.decision
        isOfWorkingCopy = judged.run.revision?.isExact != true
    }
}

/// The runs of one command, in order.
private final class OwnRuns: Sendable {
    private let runs = Mutex<[OwnRun]>([])

    var all: [OwnRun] { runs.withLock { $0 } }

    func add(_ run: OwnRun) { runs.withLock { $0.append(run) } }
}

extension ExitStatus {
    /// Ends a command by its verdict and by its delivery: with the graver of both.
    package static func conclude(_ delivery: () async throws -> Void, _ verdict: () throws -> Void) async throws {
        var statuses: [ExitStatus] = []
        do { try await delivery() } catch let status as ExitStatus { statuses.append(status) }
        do { try verdict() } catch let status as ExitStatus { statuses.append(status) }
        let status = ExitStatus.gravest(of: statuses)
        if status != .passed { throw status }
    }
}
