import Foundation
import Objects
import RunModel

/// An entry of the log: that a run is about to arrive, or has. Everything that it says is in its key.
struct LogEntry: Sendable, Hashable {
    /// When it was written, by the clock of the server that did.
    let moment: Date
    /// The server that has written it.
    let server: String
    let place: RunPlace

    var key: String { "\(RunKey.log(at: moment))-\(server)-\(place.project)-\(place.id)" }

    init(moment: Date, server: String, place: RunPlace) {
        // As the key has it, in milliseconds.
        self.moment = Timestamp.date(of: Timestamp.text(of: moment)) ?? moment
        self.server = server
        self.place = place
    }

    /// The entry under a key; `nil` for a key that is of none.
    init?(_ key: ObjectKey) {
        // A moment has 24 characters, a project 64 and a run 36.
        guard let name = key.text.split(separator: "/").last, name.count > 24 + 1 + 1 + 64 + 1 + 36,
            let moment = Timestamp.date(of: String(name.prefix(24))),
            let place = RunPlace(project: name.dropLast(37).suffix(64), id: name.suffix(36))
        else { return nil }
        self.init(moment: moment, server: String(name.dropFirst(25).dropLast(102)), place: place)
        guard self.key == key.text else { return nil }
    }
}

/// How far a server has read the log.
///
/// Clocks differ and stores list late. So it begins some minutes before the newest entry that it knows, and each run is looked into twice:
/// as soon as it is named, and when the list of its arrivals is old enough to be whole. What cannot be settled then, such as a run of
/// which a file is not there, is put off and tried again, and keeps nobody from what comes behind it.
struct LogPosition: Sendable, Hashable {
    /// By how many seconds clocks may differ, and stores list late, both together.
    static let window: TimeInterval = 600
    /// After how many seconds it gives up what cannot be settled.
    static let patience: TimeInterval = 2 * 86_400
    /// What is older than this is tried again as seldom, in seconds.
    private static let pause: TimeInterval = 60
    /// The longest pause of what the store cannot give, in seconds: it doubles each time.
    private static let longestPause: TimeInterval = 120

    /// An entry that is not settled.
    private struct Open: Sendable, Hashable {
        let moment: Date
        /// When it was looked into last.
        var tried: Date?
        /// Whether it only waits for the second look.
        var isSeen = false
        /// Whether something of it is missing, or cannot be read.
        var isPutOff = false
        /// How long it is left alone, if the store could not give something of it.
        var pause: TimeInterval?
        /// Whether that was told.
        var isTold = false
    }

    /// The newest moment that it knows; `nil` where it knows nothing.
    private var newest: Date?
    /// The keys behind the start that are settled.
    private var settled: Set<String> = []
    /// The keys that are not.
    private var open: [String: Open] = [:]
    /// At how many settled keys those that will not be read again are forgotten.
    private var most = LogPosition.least
    private static let least = 10_000

    /// Begins where everything is known that was written before a moment; `nil` for the beginning of the log.
    init(_ moment: Date? = nil) { newest = moment }

    /// Before this moment everything is settled; `nil` where it knows nothing.
    var known: Date? {
        guard let newest else { return nil }
        return open.values.map(\.moment).min().map { min($0, newest) } ?? newest
    }

    /// Behind which key the log is read; `nil` for its beginning.
    var start: String? { known.map { RunKey.log(at: $0.addingTimeInterval(-Self.window)) } }

    /// Whether an entry is to be looked into now.
    ///
    /// - Parameter server: This server, which may still be taking in the run that it has named, and knows it itself.
    mutating func isDue(_ entry: LogEntry, at now: Date, own server: String) -> Bool {
        let key = entry.key
        guard !settled.contains(key) else { return false }
        // A clock that is ahead hides nothing that others write meanwhile.
        let moment = min(entry.moment, now)
        newest = max(newest ?? moment, moment)
        var state = open[key] ?? Open(moment: moment)
        defer { open[key] = state }
        let age = now.timeIntervalSince(entry.moment)
        if age <= Self.window, state.isSeen || entry.server == server { return false }
        let pause = state.pause ?? (age > Self.pause ? Self.pause : 0)
        if let tried = state.tried, !state.isSeen, now.timeIntervalSince(tried) < pause { return false }
        (state.tried, state.isSeen) = (now, false)
        return true
    }

    /// Notes that an entry was looked into, and that nothing is missing.
    mutating func settle(_ entry: LogEntry, at now: Date) {
        guard now.timeIntervalSince(entry.moment) > Self.window else {
            guard let state = open[entry.key] else { return }
            open[entry.key] = Open(moment: state.moment, tried: state.tried, isSeen: true)
            return
        }
        open[entry.key] = nil
        settled.insert(entry.key)
        if settled.count > most { forget() }
    }

    /// Notes that something of what an entry names is missing, or cannot be read.
    ///
    /// - Parameters:
    ///   - isUnreadable: Whether the store could not give it. That costs time, and is tried less often.
    ///   - mayTell: Whether it may be told now.
    /// - Returns: Whether it is to be told: once, and not of what may just be under way.
    mutating func putOff(_ entry: LogEntry, at now: Date, isUnreadable: Bool, mayTell: Bool) -> Bool {
        guard var state = open[entry.key] else { return false }
        state.isPutOff = true
        state.pause = isUnreadable ? min(2 * (state.pause ?? Self.pause / 2), Self.longestPause) : nil
        let isNews = isUnreadable || now.timeIntervalSince(entry.moment) > Self.pause
        let isToTell = mayTell && isNews && !state.isTold
        state.isTold = state.isTold || isToTell
        open[entry.key] = state
        return isToTell
    }

    /// How many entries are put off now.
    var waiting: Int { open.values.count { $0.isPutOff } }

    /// Forgets the keys that will not be read again.
    private mutating func forget() {
        if let start { settled = settled.filter { Name(start) < Name($0) } }
        most = max(Self.least, 2 * settled.count)
    }

    /// Notes that the log was read to its end: gives up what is too old.
    ///
    /// - Returns: The keys that are given up.
    mutating func end(at now: Date) -> [String] {
        let old = open.filter { now.timeIntervalSince($0.value.moment) > Self.patience }.keys.sorted()
        for key in old {
            open[key] = nil
            settled.insert(key)
        }
        forget()
        return old
    }

    /// Reads once more what was written in the last two days, for what was listed very late.
    mutating func lookBack(at now: Date) {
        guard let newest else { return }
        self.newest = min(newest, now.addingTimeInterval(-Self.patience))
        settled = []
    }
}
