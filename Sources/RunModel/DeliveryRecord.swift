public import struct Foundation.Date

/// How a run came to a server, as the server recorded it; nothing in it is a claim of the sender.
public struct DeliveryRecord: Sendable, Hashable, Codable {
    /// The name of the token that it was delivered with; the first one, or the first that is trusted.
    public var token: String
    /// The names of the other tokens with which the same bytes were delivered; `nil` for none.
    public var others: [String]?
    /// Whether the team trusts that token, as that of CI; otherwise it is of a person's machine.
    public var isAttested: Bool
    /// How many other tokens are noted at most.
    private static let mostOthers = 100
    /// When the server had all of it; whole seconds.
    public var receivedAt: Date
    /// The network address that it came from, which may be a proxy's; `nil` if unknown.
    public var address: String?
    /// When the trust in the token was withdrawn, with that in everything that it delivered; `nil` if it was not.
    public var distrustedAt: Date?

    package init(token: String, isAttested: Bool, receivedAt: Date, address: String?) {
        self.token = token
        self.isAttested = isAttested
        self.receivedAt = Date(timeIntervalSince1970: receivedAt.timeIntervalSince1970.rounded(.down))
        self.address = address
    }

    /// Whether a token has delivered the run, with every byte of it.
    public func isDelivered(by token: String) -> Bool { self.token == token || others?.contains(token) == true }

    /// Records that the same bytes were delivered with the tokens of another record, too; the last `mostOthers` are kept.
    public mutating func add(_ other: DeliveryRecord) {
        let names = ([other.token] + (other.others ?? [])).filter { !isDelivered(by: $0) }
        if !names.isEmpty { others = Array(((others ?? []) + names).suffix(Self.mostOthers)) }
    }

    /// Whether a run that came so gets the place of one that came otherwise: what CI says is not kept out by a person's machine.
    public func isTrustedMore(than other: DeliveryRecord) -> Bool { isAttested && !other.isAttested }

    /// The record of a run that came so and whose same bytes were delivered once more, the trusted one first.
    public func united(with later: DeliveryRecord) -> DeliveryRecord {
        let isFirst = later.isTrustedMore(than: self)
        var record = isFirst ? later : self
        record.add(isFirst ? self : later)
        return record
    }

    /// Withdraws the trust. Another token that delivers the same bytes may vouch for them.
    public mutating func distrust(at moment: Date) {
        isAttested = false
        distrustedAt = distrustedAt ?? Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
    }
}

/// How far a run is to be trusted.
public enum Trust: String, Sendable, Hashable, Codable, CaseIterable {
    /// Made of files that are no exact tree.
    case workingCopy = "working-copy"
    /// Delivered with a token that is distrusted now.
    case distrusted
    /// Of an exact tree, but delivered from a person's machine.
    case laptop
    /// Of an exact tree, but with evidence of another version of Kanmon, which may have checked less, or something else.
    case otherVersion = "other-version"
    /// Of an exact tree, and delivered with a token that the team trusts.
    case ci
    /// Of an exact tree, and made or ingested where the store is.
    case local

    /// The trust in a run of a revision that came in some way.
    ///
    /// - Parameters:
    ///   - delivery: `nil` if it was not delivered.
    ///   - isCurrent: Whether its evidence is of the present version, see `RunInputs.isCurrent`.
    public init(_ revision: Revision?, _ delivery: DeliveryRecord?, isCurrent: Bool) {
        guard let delivery else {
            // Without git a folder has no other state than the present one.
            self = revision?.isExact ?? true ? (isCurrent ? .local : .otherVersion) : .workingCopy
            return
        }
        guard revision?.isExact == true else {
            self = .workingCopy
            return
        }
        guard delivery.distrustedAt == nil else {
            self = .distrusted
            return
        }
        self = !delivery.isAttested ? .laptop : isCurrent ? .ci : .otherVersion
    }

    /// Why such a run does not speak for its branch, in a word or two; `nil` if it does.
    public var doubt: String? {
        switch self {
        case .workingCopy: "working copy"
        case .distrusted: "distrusted"
        case .laptop: "from a laptop"
        case .otherVersion: "of another version"
        case .ci, .local: nil
        }
    }

    /// Whether such a run speaks for its commit and its branch.
    public var speaksForBranch: Bool { self == .ci || self == .local }
}
