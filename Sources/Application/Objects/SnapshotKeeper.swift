package import Foundation
import Gate
import RunModel
import Storage

/// Leaves a snapshot of the index now and then, while a server serves and has nothing to take in.
package struct SnapshotKeeper: Sendable {
    /// The age in seconds at which the last snapshot needs a successor, if anything has arrived since.
    static let day: TimeInterval = 86_400
    /// How many runs since the last snapshot make another due earlier, though never within an hour.
    static let runs = 10_000
    /// How many seconds lie between two snapshots at least, and before a failed one is tried again.
    static let hour: TimeInterval = 3_600
    /// How long a server serves before it leaves one.
    private static let beginning = Duration.seconds(600)
    /// How long to wait until it is asked again whether one is due.
    private static let pause = Duration.seconds(10)

    private let objects: RunObjects
    private let home: Home
    private let leastFree: Double
    private let isIdle: @Sendable () -> Bool
    private let now: @Sendable () -> Date

    /// Makes a keeper.
    ///
    /// - Parameters:
    ///   - leastFree: The share of the disk that must be free for deliveries, 0 to 1.
    ///   - isIdle: Whether the server takes in and judges nothing now.
    package init(
        _ objects: RunObjects, of home: Home, leastFree: Double = 0, isIdle: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> Date
    ) {
        self.objects = objects
        self.home = home
        self.leastFree = leastFree
        self.isIdle = isIdle
        self.now = now
    }

    /// Leaves snapshots until the task is cancelled.
    package func run() async {
        let start = now()
        try? await Task.sleep(for: Self.beginning)
        var (warnedAt, failedAt) = (start, Date.distantPast)
        while !Task.isCancelled {
            do {
                let last = SnapshotLedger.read(home)?.moment(in: objects.place)
                // What failed is tried again in an hour.
                if now().timeIntervalSince(failedAt) > Self.hour, try isDue() {
                    if isIdle() {
                        let left = try await SnapshotWriter(objects, of: home, leastFree: leastFree)
                            .leave(at: now())
                        StandardStreams.tell(
                            """
                            kanmon: left a snapshot of \(Figures.counted(left.runs, "run")) in \(objects.place): \
                            \(left.name), \(Figures.bytes(left.bytes))
                            """)
                    } else if now().timeIntervalSince(max(last ?? start, warnedAt)) > 2 * Self.day {
                        warnedAt = now()
                        StandardStreams.tell(
                            """
                            kanmon: warning: no snapshot of the index was left for two days, as there is always \
                            something to judge
                            Try: kanmon objects snapshot \(objects.place)
                            """)
                    }
                }
            } catch {
                failedAt = now()
                let reason = Problem(explaining: error)?.reason ?? "\(error)"
                if !Task.isCancelled { StandardStreams.tell("kanmon: no snapshot of the index is left now: \(reason)") }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Whether a snapshot is to be left.
    func isDue() throws -> Bool {
        guard home.hasStore, let until = KnownLog(home).read(of: objects.place) else { return false }
        guard let ledger = SnapshotLedger.read(home), let moment = ledger.moment(in: objects.place),
            let last = ledger.last
        else { return true }
        // Nothing has arrived since.
        guard until != last.until else { return false }
        let age = now().timeIntervalSince(moment)
        // A clock that was set back says nothing of how old it is.
        if age < 0 || age >= Self.day { return true }
        return try age >= Self.hour && RunStore.reading(home.database).runCount() - last.runs >= Self.runs
    }
}
