import Foundation
import Objects

/// What a server remembers of the inbox while it serves: what has to wait, and how much came under which name.
struct InboxMemory {
    /// How many runs of one name are looked at in a minute, as of a token.
    static let runsInMinute = 60
    /// After how many seconds a run in the inbox is given up if its files are missing.
    static let patience: TimeInterval = 3_600
    /// After how many seconds a run that has to wait is looked at again.
    static let pause: TimeInterval = 60
    /// How many keys of each kind are remembered, about 3 MB in memory; with more, all are forgotten.
    private static let most = 10_000

    private struct Waiting {
        /// Since when files are missing; `nil` where it waits for something else.
        let since: Date?
        let next: Date
        /// Whether it was told why.
        var isTold = false
    }

    private var waiting: [String: Waiting] = [:]
    /// What could not be removed.
    private var ignored: Set<String> = []
    /// When runs of a name were looked at.
    private var looked: [String: [Date]] = [:]
    /// How many bytes came under a name in each hour.
    private var bytes: [String: [Int: Int]] = [:]

    /// Whether an object of the inbox is to be looked at now.
    func isDue(_ key: ObjectKey, at moment: Date) -> Bool {
        guard !ignored.contains(key.text) else { return false }
        return waiting[key.text].map { $0.next <= moment } ?? true
    }

    /// Counts a run that is looked at; returns whether its name is within its limit.
    mutating func admit(_ name: String, at moment: Date) -> Bool {
        var recent = (looked[name] ?? []).filter { moment.timeIntervalSince($0).magnitude < 60 }
        let isAdmitted = recent.count < Self.runsInMinute
        if isAdmitted { recent.append(moment) }
        if looked.count >= Self.most { looked = [:] }
        looked[name] = recent
        return isAdmitted
    }

    /// Notes that files of a run are missing; returns whether it has not waited for them for too long.
    mutating func wait(for key: ObjectKey, at moment: Date) -> Bool {
        let since = waiting[key.text]?.since ?? moment
        put(key, since: since, next: moment.addingTimeInterval(Self.pause))
        return moment.timeIntervalSince(since) < Self.patience
    }

    /// Notes that an object has to wait.
    mutating func delay(_ key: ObjectKey, at moment: Date, for seconds: TimeInterval = InboxMemory.pause) {
        put(key, since: nil, next: moment.addingTimeInterval(seconds))
    }

    private mutating func put(_ key: ObjectKey, since: Date?, next: Date) {
        if waiting.count >= Self.most { waiting = [:] }
        let isTold = waiting[key.text]?.isTold ?? false
        waiting[key.text] = Waiting(since: since, next: next, isTold: isTold)
    }

    /// Whether it is told now why an object has to wait: once.
    mutating func isNews(_ key: ObjectKey) -> Bool {
        guard let state = waiting[key.text], !state.isTold else { return false }
        waiting[key.text]?.isTold = true
        return true
    }

    /// Forgets an object.
    mutating func end(_ key: ObjectKey) { waiting[key.text] = nil }

    /// Notes that an object is not looked at again.
    mutating func ignore(_ key: ObjectKey) {
        if ignored.count >= Self.most { ignored = [] }
        ignored.insert(key.text)
    }

    private static func hour(of moment: Date) -> Int { Int(moment.timeIntervalSince1970 / 3600) }

    /// Counts bytes that came under a name.
    mutating func count(_ more: Int, of name: String, at moment: Date) {
        guard more > 0 else { return }
        if bytes.count >= Self.most { bytes = [:] }
        bytes[name, default: [:]][Self.hour(of: moment), default: 0] += more
    }

    /// How many bytes came under a name in a day.
    mutating func bytes(of name: String, at moment: Date) -> Int {
        guard let own = bytes[name] else { return 0 }
        // The hour a day ago may have begun less than a day ago.
        let recent = own.filter { ($0.key - Self.hour(of: moment)).magnitude <= 24 }
        bytes[name] = recent.isEmpty ? nil : recent
        return recent.values.reduce(0, +)
    }
}
