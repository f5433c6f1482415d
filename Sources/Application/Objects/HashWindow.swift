/// Which files runs need, by the first 64 bits of their SHA-256, as far as they lie between two of these.
///
/// It holds a limited number: with more, the range becomes smaller, and the rest is for another window. Files with the
/// same bits here are taken for one, so a forged file may stay although no run needs it.
struct HashWindow: Sendable {
    /// The first beginning of a hash in the range.
    let first: UInt64
    /// The last one.
    private(set) var last = UInt64.max
    private let most: Int
    private var named: Set<UInt64> = []

    /// Begins with a range up to the last hash.
    ///
    /// - Parameter most: How many hashes are held, each of up to 25 bytes while the set grows.
    init(from first: UInt64, most: Int) {
        self.first = first
        self.most = most
    }

    /// The first 64 bits of a hash, which is well-formed.
    static func beginning(of sha256: String) -> UInt64 { UInt64(sha256.prefix(16), radix: 16) ?? 0 }

    /// Whether a hash is in the range.
    func covers(_ hash: UInt64) -> Bool { first <= hash && hash <= last }

    /// Notes that a file is needed.
    mutating func insert(_ hash: UInt64) {
        guard covers(hash) else { return }
        named.insert(hash)
        while named.count > most, first < last {
            let middle = first + (last - first) / 2
            named = named.filter { $0 <= middle }
            last = middle
        }
    }

    /// Whether a file in the range is needed.
    func contains(_ hash: UInt64) -> Bool { named.contains(hash) }

    /// Behind which text the keys of the range begin in a folder that has files as `RunKey.blob` places them; `nil` for its beginning.
    func start(in folder: String) -> String? {
        guard first > 0 else { return nil }
        let digits = String(first, radix: 16)
        let text = String(repeating: "0", count: 16 - digits.count) + digits
        return "\(folder)/\(text.prefix(2))/\(text)"
    }
}
