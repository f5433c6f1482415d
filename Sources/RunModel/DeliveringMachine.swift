public import struct Foundation.Date

/// A machine that delivers runs, as its server knows it. Nothing is decided by it: it is only shown.
public struct DeliveringMachine: Sendable, Hashable {
    /// How many machines of a token are told one by one, those that were heard from last. A name is what somebody says of themselves, and
    /// a token may say as many as it likes.
    public static let mostOfToken = 500

    /// The name of the machine, which it gives itself and its runs; `nil` for machines without one.
    public var host: String?
    /// The name of the token that it uses; the same name with another token is another machine.
    public var token: String
    /// How far the runs that it delivered lately are to be trusted; without a run, how far the next would be.
    public var trust: [Trust]
    /// How many of the runs that it delivered began lately.
    public var runs: Int
    /// When it last called; `nil` if unknown.
    public var lastHeard: Date?
    /// How many runs waited there when it last said so; `nil` if it never did.
    public var waiting: Int?
    /// Its version of Kanmon, when it last said so.
    public var version: String?
    /// How often it was refused lately, by reason.
    public var refusals: [RefusalCode: Int]
    /// The last refusal, however long ago.
    public var lastRefusal: RefusedDelivery?
    /// How many more machines of the token this is the sum of; `nil` for one machine.
    public var others: Int?

    package init(
        host: String?, token: String, trust: [Trust] = [], runs: Int = 0, lastHeard: Date? = nil,
        waiting: Int? = nil, version: String? = nil, refusals: [RefusalCode: Int] = [:],
        lastRefusal: RefusedDelivery? = nil, others: Int? = nil
    ) {
        self.host = host
        self.token = token
        self.trust = trust
        self.runs = runs
        self.lastHeard = lastHeard
        self.waiting = waiting
        self.version = version
        self.refusals = refusals
        self.lastRefusal = lastRefusal
        self.others = others
    }
}

/// A call that a server refused.
public struct RefusedDelivery: Sendable, Hashable, Codable {
    /// Why, as a code.
    public var code: RefusalCode
    /// Why, in words; may hold untrusted text.
    public var reason: String
    /// When.
    public var moment: Date

    package init(code: RefusalCode, reason: String, moment: Date) {
        (self.code, self.reason, self.moment) = (code, reason, moment)
    }
}

/// How many runs of a project a machine delivered with one token, as far as they are trusted in one way.
public struct DeliveredRuns: Sendable, Hashable {
    /// The project.
    public var project: String
    /// The machine that made them; `nil` if unknown, or if their shards ran on several.
    public var host: String?
    /// The name of the token.
    public var token: String
    /// How far they are to be trusted.
    public var trust: Trust
    /// How many there are.
    public var count: Int
    /// When the last of them was received.
    public var latest: Date
    /// How many more machines of the token this is the sum of; `nil` for one machine.
    public var others: Int?

    package init(
        project: String, host: String?, token: String, trust: Trust, count: Int, latest: Date, others: Int? = nil
    ) {
        self.project = project
        self.host = host
        self.token = token
        self.trust = trust
        self.count = count
        self.latest = latest
        self.others = others
    }
}
