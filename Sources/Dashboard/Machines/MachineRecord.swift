import Foundation
import RunModel

/// What a server remembers of one machine that uses one token, for one project or, of calls that name none, for none.
struct MachineRecord: Sendable, Hashable, Codable {
    /// How many calls were refused on one day for one reason.
    struct Refused: Sendable, Hashable, Codable {
        /// Days since 1970, in UTC.
        var day: Int
        var code: RefusalCode
        var count: Int
    }

    /// What it is of.
    struct Key: Sendable, Hashable {
        let host: Name?
        let token: Name
        let project: Name?
    }

    /// The name of the machine, as it says of itself.
    var host: String?
    var token: String
    var project: String?
    /// Whether runs delivered with the token are trusted.
    var isAttested: Bool
    /// The last call; in the file in whole seconds.
    var heard: Date
    /// How many runs waited there, as it said last.
    var waiting: Int?
    /// Its version of Kanmon, as it said last.
    var version: String?
    /// In the order in which they came.
    var refused: [Refused] = []
    var lastRefusal: RefusedDelivery?

    var key: Key { Key(host: host.map { Name($0) }, token: Name(token), project: project.map { Name($0) }) }

    /// Counts a refusal, and forgets those of the days before `first`.
    mutating func count(_ refusal: RefusedDelivery, first: Int) {
        lastRefusal = refusal
        let day = Self.day(of: refusal.moment)
        if let index = refused.lastIndex(where: { $0.day == day && $0.code == refusal.code }) {
            refused[index].count += 1
        } else {
            refused.removeAll { $0.day < first }
            refused.append(Refused(day: day, code: refusal.code, count: 1))
        }
    }

    /// The day of a moment, counted from 1970 in UTC.
    static func day(of moment: Date) -> Int {
        Int(exactly: (moment.timeIntervalSince1970 / 86_400).rounded(.down)) ?? 0
    }
}
