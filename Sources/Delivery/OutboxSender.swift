import Evidence
public import RunModel

/// Sends the runs that wait, the oldest first, until none is left or the time is over.
public struct OutboxSender: Sendable {
    /// Progress while runs are sent.
    public enum Progress: Sendable, Hashable {
        /// A run is offered: the number of it, and of those that wait.
        case offering(RunID, number: Int, of: Int)
        /// Files of it have been sent, in bytes.
        case sent(Int, of: Int)
    }

    /// The result of sending.
    public struct Report: Sendable, Hashable {
        /// The runs that the server has now, in the order in which they were delivered.
        public internal(set) var delivered: [DeliveredRun] = []
        /// The runs that the server refused, or whose directory is damaged, and why.
        public internal(set) var refused: [Refusal] = []
        /// The runs whose directory is gone, so that they cannot be delivered any more.
        public internal(set) var lost: [RunID] = []
        /// How many runs still wait, without those that were refused.
        public internal(set) var waiting = 0
        /// Why they wait; `nil` if none does, or another process sends them.
        public internal(set) var failure: DeliveryError?

        /// Leaves out the runs that the server has.
        public mutating func forgetDelivered() { delivered = [] }

        /// A report of runs that all wait, or of nothing.
        public init(waiting: Int = 0, failure: DeliveryError? = nil) {
            (self.waiting, self.failure) = (waiting, failure)
        }
    }

    /// A run that was refused.
    public struct Refusal: Sendable, Hashable {
        /// The run.
        public let id: RunID
        /// Why.
        public let error: DeliveryError
    }

    /// The bytes a second of a connection that is slow but works.
    private static let slowest = 64 << 10

    private let outbox: Outbox
    private let client: DeliveryClient
    private let retries: Bool
    private let retriesRefused: Bool
    private let random: @Sendable (ClosedRange<Double>) -> Double

    /// Makes a sender.
    ///
    /// - Parameters:
    ///   - outbox: The runs that wait.
    ///   - client: The connection to the server.
    ///   - retries: Whether to try again, within the time, when the server cannot be reached or wants to be asked later.
    ///   - retriesRefused: Whether runs that were refused before are offered once more.
    ///   - random: A number of a range, so that machines do not all come back at the same moment.
    public init(
        _ outbox: Outbox, to client: DeliveryClient, retries: Bool, retriesRefused: Bool = false,
        random: @escaping @Sendable (ClosedRange<Double>) -> Double
    ) {
        self.outbox = outbox
        self.client = client
        self.retries = retries
        self.retriesRefused = retriesRefused
        self.random = random
    }

    /// Sends what waits.
    ///
    /// - Parameters:
    ///   - timeout: How long the server may make no progress. It restarts with every delivered run.
    ///   - limit: How long all may take; `nil` for as long as there is progress.
    public func send(
        timeout: Duration, limit: Duration?, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async -> Report {
        let end = limit.map { ContinuousClock.now + $0 }
        var state = State(deadline: Self.earlier(ContinuousClock.now + timeout, end))
        while true {
            let entries = waiting(state)
            guard !entries.isEmpty else { return finished(state) }
            state.report.failure = nil
            for (index, entry) in entries.enumerated() {
                // A run that another process has claimed is sent by that process.
                guard let claim = outbox.claim(entry.id) else { continue }
                progress(.offering(entry.id, number: index + 1, of: entries.count))
                let slowest = end == nil ? Self.slowest : nil
                let isDelivered = await send(entry, claim, slowest: slowest, &state, progress)
                if isDelivered { state.renew(Self.earlier(ContinuousClock.now + timeout, end)) }
                if state.report.failure?.kind == .settings { return finished(state) }
                if state.report.failure?.kind == .later || Task.isCancelled { break }
            }
            if waiting(state).isEmpty { continue }
            let pause = delay(state.attempt, after: state.report.failure)
            state.attempt += 1
            guard retries || state.report.failure == nil, ContinuousClock.now + pause < state.deadline,
                (try? await Task.sleep(for: pause)) != nil
            else { return finished(state) }
        }
    }

    /// How far the sending has come.
    private struct State {
        var report = Report()
        /// The runs that were refused meanwhile.
        var refused: Set<RunID> = []
        var deadline: ContinuousClock.Instant
        /// How often the server was asked again.
        var attempt = 0

        init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

        mutating func renew(_ deadline: ContinuousClock.Instant) {
            self.deadline = deadline
            attempt = 0
        }
    }

    /// Sends one run; returns whether the server has it now.
    private func send(
        _ entry: Outbox.Entry, _ claim: Outbox.Claim, slowest: Int?, _ state: inout State,
        _ progress: @escaping @Sendable (Progress) -> Void
    ) async -> Bool {
        let directory = RunDirectory(path: entry.runDirectory)
        guard directory.isThere else {
            claim.remove()
            state.report.lost.append(entry.id)
            return false
        }
        do throws(DeliveryError) {
            let run = try await client.deliver(entry.id, in: directory, until: state.deadline, slowest: slowest) {
                progress(.sent($0, of: $1))
            }
            claim.remove()
            state.report.delivered.append(run)
            return true
        } catch {
            guard error.kind == .refused || error.kind == .unreadable else {
                state.report.failure = error
                return false
            }
            claim.refuse(error.reason)
            state.refused.insert(entry.id)
            state.report.refused.append(Refusal(id: entry.id, error: error))
            return false
        }
    }

    /// The runs to send, the oldest first.
    private func waiting(_ state: State) -> [Outbox.Entry] {
        outbox.entries.filter { !state.refused.contains($0.id) && (retriesRefused || $0.refusal == nil) }
    }

    private func finished(_ state: State) -> Report {
        var report = state.report
        report.waiting = waiting(state).count
        if report.waiting == 0 { report.failure = nil }
        return report
    }

    /// How long to wait before the next attempt: half a second, then twice as long each time up to half a minute, at least as
    /// long as the server wants, and never exactly as long as others wait.
    private func delay(_ attempt: Int, after failure: DeliveryError?) -> Duration {
        // Another process is sending.
        guard let failure else { return .milliseconds(200) }
        let most = min(30, 0.5 * Double(1 << min(attempt, 6)))
        let own = Duration.seconds(random(most / 2...most))
        return failure.retryAfter.map { max($0, own) + .seconds(random(0...0.5)) } ?? own
    }

    private static func earlier(
        _ moment: ContinuousClock.Instant, _ end: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant {
        end.map { min($0, moment) } ?? moment
    }
}
