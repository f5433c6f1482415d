import Foundation
import Synchronization

/// Counts failed attempts by peer, which is an address or a network of them (`PeerNetwork`).
///
/// A valid credential passes in any case: behind a proxy all requests have one address, and nobody may lock the others out.
/// 256 random bits are not found by trying; what is limited is the work and the log.
final class AttemptLimit: Sendable {
    private struct Window {
        var begun: Date
        var count: Int
    }

    /// How many peers are counted at most.
    private static let mostPeers = 10_000

    private let most: Int
    private let seconds: Double
    private let windows = Mutex<[String: Window]>([:])

    init(most: Int, seconds: Double) {
        self.most = most
        self.seconds = seconds
    }

    /// Counts a failed attempt.
    ///
    /// - Returns: The seconds to wait if there were too many; else `nil`.
    func fail(_ peer: String, at moment: Date) -> Int? {
        windows.withLock { windows in
            if windows.count >= Self.mostPeers, windows[peer] == nil {
                windows = windows.filter { moment.timeIntervalSince($0.value.begun) < seconds }
                // All of them are recent: this is a flood, and nothing is gained by counting it by peer.
                if windows.count >= Self.mostPeers { return Int(seconds) }
            }
            var window = windows[peer] ?? Window(begun: moment, count: 0)
            if moment.timeIntervalSince(window.begun) >= seconds { window = Window(begun: moment, count: 0) }
            window.count += 1
            windows[peer] = window
            guard window.count > most else { return nil }
            return max(1, Int((seconds - moment.timeIntervalSince(window.begun)).rounded(.up)))
        }
    }
}

/// Counts the runs that each token delivers, and how often it offers them.
final class DeliveryLimit: Sendable {
    /// How often a run may be offered on average: twice if all goes well, and again where connections fail.
    static let offersOfRun = 10

    private struct Window {
        var runs: [(name: String, moment: Date)] = []
        var offers: [Date] = []
    }

    private let most: Int
    private let seconds: Double
    private let windows = Mutex<[String: Window]>([:])

    init(most: Int, seconds: Double) {
        self.most = most
        self.seconds = seconds
    }

    /// Counts a run, which may be offered several times.
    ///
    /// - Returns: The seconds to wait if there are too many runs, or too many offers; else `nil`.
    func admit(_ run: String, of token: String, at moment: Date) -> Int? {
        windows.withLock { windows in
            var window = windows.removeValue(forKey: token) ?? Window()
            defer { windows[token] = window }
            let isOver = { (begun: Date) in moment.timeIntervalSince(begun) >= self.seconds }
            window.runs.removeAll { isOver($0.moment) }
            window.offers.removeAll(where: isOver)
            func wait(since first: Date?) -> Int {
                max(1, Int((seconds - moment.timeIntervalSince(first ?? moment)).rounded(.up)))
            }
            if window.offers.count >= most * Self.offersOfRun { return wait(since: window.offers.first) }
            if !window.runs.contains(where: { $0.name == run }) {
                if window.runs.count >= most { return wait(since: window.runs.first?.moment) }
                window.runs.append((run, moment))
            }
            window.offers.append(moment)
            return nil
        }
    }
}
