import Delivery
import Evidence
import Foundation
import RunModel
import Synchronization

/// Tells a server how a run goes, so that a team sees it there before it is delivered.
///
/// It is only a picture: nothing waits for it, and what cannot be sent is left out. It reads the progress file of the run, as the
/// dashboard of this machine does.
struct LiveReport: Sendable {
    /// How often the server is told at most.
    private static let interval = Duration.seconds(1)
    /// After so long it is told once more, though nothing has changed: it drops a run that it does not hear of.
    private static let heartbeat = Duration.seconds(10)
    /// How long one call may take.
    private static let timeout = Duration.seconds(2)
    /// The pauses after failures in a row.
    private static let pauses: [Duration] = [.seconds(2), .seconds(5), .seconds(15)]

    let target: DeliveryTarget
    let proxies: ProxySettings
    let machine: MachineReport
    let failure: LiveFailure

    /// Tells of a run until the task is cancelled, or until the server says that it does not want to hear of it.
    func follow(_ id: RunID, in progressFiles: ProgressFiles) async {
        do throws(DeliveryError) {
            try await DeliveryClient.with(target.address, token: target.token, proxies: proxies, machine: machine) {
                client in
                await follow(id, in: progressFiles, telling: client)
            }
        } catch {
            failure.note(error)
        }
    }

    private func follow(_ id: RunID, in progressFiles: ProgressFiles, telling client: DeliveryClient) async {
        var (last, told): (LiveRun?, ContinuousClock.Instant) = (nil, .now)
        var failures = 0
        var pause = Self.interval
        while (try? await Task.sleep(for: pause)) != nil {
            pause = Self.interval
            guard let run = progressFiles.find(id)?.run.told else { continue }
            guard run != last || told + Self.heartbeat <= .now else { continue }
            guard let error = await tell(run, client) else {
                (last, told, failures) = (run, .now, 0)
                continue
            }
            if Task.isCancelled { return }
            failure.note(error)
            // It is too old to know of this, or it does not take this run.
            if error.kind != .later, error.kind != .failed { return }
            pause = max(Self.pauses[min(failures, Self.pauses.count - 1)], error.retryAfter ?? .zero)
            failures += 1
        }
    }

    /// Sends the progress of a run; returns the error, if there was one.
    private func tell(_ run: LiveRun, _ client: DeliveryClient) async -> DeliveryError? {
        do throws(DeliveryError) {
            try await client.tell(run, until: .now + Self.timeout)
            return nil
        } catch {
            return error
        }
    }
}

/// The first reason why a server was not told how a run goes.
final class LiveFailure: Sendable {
    private let first = Mutex<DeliveryError?>(nil)

    /// The reason; `nil` if there is none.
    var error: DeliveryError? { first.withLock { $0 } }

    func note(_ error: DeliveryError) { first.withLock { $0 = $0 ?? error } }
}

extension LiveRun {
    /// The longest name that is told, in characters.
    private static let longestName = 300

    /// The same run for a server, which has no use for a folder of this machine.
    fileprivate var told: LiveRun {
        var run = self
        run.folder = ""
        run.progress.failures = progress.failures.map { String($0.prefix(Self.longestName)) }
        run.progress.running = progress.running.map { String($0.prefix(Self.longestName)) }
        return run
    }
}
