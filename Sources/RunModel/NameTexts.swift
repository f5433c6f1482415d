/// The bytes of many names in one place.
struct NameTexts: Sendable {
    private var bytes: [UInt8] = []

    /// Makes room for so many bytes.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// Keeps a copy, and tells its place.
    mutating func keep(_ text: UnsafeRawBufferPointer) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return start..<start + text.count
    }

    /// Forgets what lies here, if it is the copy that was made last.
    mutating func forget(_ place: Range<Int>) {
        guard place.upperBound == bytes.count else { return }
        bytes.removeLast(place.count)
    }

    /// Lends all of them.
    func lend<Result>(_ body: (Lent) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(Lent(bytes: $0)) }
    }

    /// All of them, for the time of a call.
    struct Lent {
        fileprivate let bytes: UnsafeRawBufferPointer

        subscript(place: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[place]) }
    }
}
