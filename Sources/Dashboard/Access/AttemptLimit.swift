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

    private struct State {
        var windows: [String: Window] = [:]
        /// When windows that are over were removed last.
        var swept = Date.distantPast
    }

    /// How many peers are counted at most.
    static let mostPeers = 10_000
    /// How often all of them are looked through at most, in seconds: doing so for each attempt would cost more than the attempt.
    private static let pause = 1.0

    private let most: Int
    private let seconds: Double
    private let state = Mutex(State())

    init(most: Int, seconds: Double) { (self.most, self.seconds) = (most, seconds) }

    /// Counts a failed attempt.
    ///
    /// - Returns: The seconds to wait if there were too many; else `nil`.
    func fail(_ peer: String, at moment: Date) -> Int? {
        state.withLock { state in
            if state.windows.count >= Self.mostPeers, state.windows[peer] == nil {
                if abs(moment.timeIntervalSince(state.swept)) >= Self.pause {
                    state.windows = state.windows.filter { moment.timeIntervalSince($0.value.begun) < seconds }
                    state.swept = moment
                }
                // All of them are recent: this is a flood, and nothing is gained by counting it by peer.
                if state.windows.count >= Self.mostPeers { return Int(seconds) }
            }
            var window = state.windows[peer] ?? Window(begun: moment, count: 0)
            if moment.timeIntervalSince(window.begun) >= seconds { window = Window(begun: moment, count: 0) }
            window.count += 1
            state.windows[peer] = window
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

    init(most: Int, seconds: Double) { (self.most, self.seconds) = (most, seconds) }

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
