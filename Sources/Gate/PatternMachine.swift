/// Patterns with wildcards, matched together: one bit for each byte of a pattern says whether the text so far can end there.
///
/// This is the method of shift-and (Baeza-Yates and Gonnet, 1992) over bytes. A byte of a text costs a few operations for
/// every 64 bytes of patterns, whatever the patterns and the text are; nothing is ever taken back.
struct PatternMachine: Sendable {
    /// Words of 64 positions.
    private var width = 0
    /// By byte: the positions that it leads to from the one before.
    private var entered: [UInt64] = []
    /// By kind of byte: the positions that it does not lead away from.
    private var kept: [UInt64] = []
    /// Positions that are as good as the next one, and those as good as the one behind that.
    private var one: [UInt64] = []
    private var two: [UInt64] = []
    private var start: [UInt64] = []
    private var ends: [UInt64] = []
    /// By position: the pattern that ends there.
    private var patterns: [Int] = []

    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
    private static let mark = UInt8(ascii: "?")

    /// What a byte is to a wildcard: 0 for `/`, 1 for the first of a scalar, 2 for one within a scalar.
    private static func kind(_ byte: UInt8) -> Int { byte == slash ? 0 : byte & 0xC0 == 0x80 ? 2 : 1 }

    /// A place between two bytes of a pattern.
    struct Position: Sendable {
        /// The bytes that lead here; `nil` is the first byte of any scalar but `/`.
        var byte: UInt8??
        var kept: Set<Int> = []
        var isAsGoodAsNext = false
        var isAsGoodAsSecond = false
        var isEnd = false
    }

    /// Makes a machine of patterns by the rules of `Glob`.
    init(_ patterns: [(index: Int, pattern: String)]) {
        self.init(positions: patterns.map { (index: $0.index, positions: Self.positions(of: $0.pattern)) })
    }

    /// Makes a machine of patterns in another notation, each with the place before its first byte.
    init(positions compiled: [(index: Int, positions: [Position])]) {
        let count = compiled.reduce(0) { $0 + $1.positions.count }
        guard count > 0 else { return }
        width = (count + 63) / 64
        entered = Array(repeating: 0, count: 256 * width)
        kept = Array(repeating: 0, count: 3 * width)
        (one, two) = (Array(repeating: 0, count: width), Array(repeating: 0, count: width))
        (start, ends) = (one, one)
        self.patterns = Array(repeating: -1, count: width * 64)
        var place = 0
        for (index, positions) in compiled {
            start[place / 64] |= 1 << UInt64(place % 64)
            for position in positions {
                set(position, at: place, of: index)
                place += 1
            }
        }
        close(&start)
    }

    private mutating func set(_ position: Position, at place: Int, of pattern: Int) {
        let (word, bit) = (place / 64, UInt64(1) << UInt64(place % 64))
        switch position.byte {
        case nil: break
        case .some(let byte?): entered[Int(byte) * width + word] |= bit
        case .some(nil):
            for byte in UInt8.min ... .max where Self.kind(byte) == 1 { entered[Int(byte) * width + word] |= bit }
        }
        for kind in position.kept { kept[kind * width + word] |= bit }
        if position.isAsGoodAsNext { one[word] |= bit }
        if position.isAsGoodAsSecond { two[word] |= bit }
        if position.isEnd {
            ends[word] |= bit
            patterns[place] = pattern
        }
    }

    /// The places of a pattern, the one before its first byte included.
    private static func positions(of pattern: String) -> [Position] {
        var components = pattern.utf8.split(separator: slash, omittingEmptySubsequences: false).map(Array.init)
        // Any number of components twice is the same as once.
        components = components.enumerated().filter { index, component in
            index == 0 || component != [star, star] || components[index - 1] != [star, star]
        }.map(\.element)
        var positions = [Position()]
        for (index, component) in components.enumerated() {
            let isLast = index == components.count - 1
            if component == [star, star] {
                if isLast {
                    addRest(to: &positions, isAlone: index == 0)
                } else {
                    // Nothing, or any bytes up to a slash.
                    positions[positions.count - 1].isAsGoodAsNext = true
                    positions[positions.count - 1].isAsGoodAsSecond = true
                    positions.append(Position(kept: [0, 1, 2]))
                    positions.append(Position(byte: .some(slash)))
                }
                continue
            }
            var before: UInt8?
            for byte in component {
                defer { before = byte }
                if byte == star {
                    guard before != star else { continue }
                    positions[positions.count - 1].isAsGoodAsNext = true
                    positions.append(Position(kept: [1, 2]))
                } else if byte == mark {
                    positions.append(Position(byte: .some(nil), kept: [2]))
                } else {
                    positions.append(Position(byte: .some(byte)))
                }
            }
            // The slash before any number of components at the end goes with them.
            if !isLast, index + 1 < components.count - 1 || components[index + 1] != [star, star] {
                positions.append(Position(byte: .some(slash)))
            }
        }
        positions[positions.count - 1].isEnd = true
        return positions
    }

    /// Any number of components at the end, also none.
    private static func addRest(to positions: inout [Position], isAlone: Bool) {
        if isAlone {
            positions[0].kept = [0, 1, 2]
        } else {
            positions[positions.count - 1].isEnd = true
            positions.append(Position(byte: .some(slash), kept: [0, 1, 2]))
        }
    }

    /// Finds the patterns that match a text.
    ///
    /// - Parameters:
    ///   - withFolders: Also those that match what the text begins with up to a `/`, as often as they do.
    ///   - found: Called with every pattern, in no order.
    func run(over text: String, withFolders: Bool, found: (Int) -> Void) {
        guard width > 0 else { return }
        var state = start
        for byte in text.utf8 {
            if withFolders, byte == Self.slash { tell(state, found) }
            guard step(&state, byte) else { return }
        }
        tell(state, found)
    }

    private func tell(_ state: [UInt64], _ found: (Int) -> Void) {
        for word in 0..<width {
            var bits = state[word] & ends[word]
            while bits != 0 {
                found(patterns[word * 64 + bits.trailingZeroBitCount])
                bits &= bits &- 1
            }
        }
    }

    /// Reads a byte of a text.
    ///
    /// - Returns: Whether any pattern can still match.
    private func step(_ state: inout [UInt64], _ byte: UInt8) -> Bool {
        let (enter, keep) = (Int(byte) * width, Self.kind(byte) * width)
        let isAlive = state.withUnsafeMutableBufferPointer { state in
            entered.withUnsafeBufferPointer { entered in
                kept.withUnsafeBufferPointer { kept in
                    var any: UInt64 = 0
                    var carry: UInt64 = 0
                    for word in 0..<width {
                        let before = state[word]
                        let after = (before << 1 | carry) & entered[enter + word] | before & kept[keep + word]
                        carry = before >> 63
                        state[word] = after
                        any |= after
                    }
                    return any != 0
                }
            }
        }
        if isAlive { close(&state) }
        return isAlive
    }

    /// Adds the positions that others are as good as.
    private func close(_ state: inout [UInt64]) {
        state.withUnsafeMutableBufferPointer { state in
            two.withUnsafeBufferPointer { two in
                one.withUnsafeBufferPointer { one in
                    var (carryOfTwo, carryOfOne): (UInt64, UInt64) = (0, 0)
                    for word in 0..<width {
                        let far = state[word] & two[word]
                        let all = state[word] | far << 2 | carryOfTwo
                        carryOfTwo = far >> 62
                        let near = all & one[word]
                        state[word] = all | near << 1 | carryOfOne
                        carryOfOne = near >> 63
                    }
                }
            }
        }
    }
}
