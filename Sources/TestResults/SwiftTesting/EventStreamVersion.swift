import Evidence

/// A version of the event stream: 0, or the Swift version that brought it.
struct EventStreamVersion: Equatable, CustomStringConvertible {
    let major: Int
    let minor: Int

    /// The highest version whose records can be read. From 6.4 on these are known from sources and proposals, not from a toolchain.
    static let highest = EventStreamVersion(major: 6, minor: 5)

    init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }

    /// Reads the version of a record: the number 0, or a text such as `6.3.0`; what is neither counts as unknown.
    init(_ cursor: inout JSONCursor) throws(JSONFault) {
        guard cursor.next() == UInt8(ascii: "\"") else {
            self.init(major: try cursor.integer(), minor: 0)
            return
        }
        let numbers = try cursor.string().split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        self.init(major: numbers.first ?? -1, minor: numbers.dropFirst().first ?? 0)
    }

    /// Whether records of this version mean what is read in them.
    var isKnown: Bool { self == Self(major: 0, minor: 0) || (major == 6 && (3...Self.highest.minor).contains(minor)) }

    var description: String { "\(major).\(minor)" }
}
