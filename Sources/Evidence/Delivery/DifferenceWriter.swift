/// Finds what a file has in common with an earlier one.
struct DifferenceWriter {
    /// The shortest part that is copied: one instruction takes up to eight bytes.
    private static let block = 16
    /// How many places of the earlier file with the same bytes are compared.
    private static let mostCompared = 32
    /// The longest part of one instruction.
    private static let longestCopy = 0xFF_FFFF
    private static let longestInsert = 0x7F

    private let earlier: UnsafeBufferPointer<UInt8>
    private let file: UnsafeBufferPointer<UInt8>
    /// The last block of the earlier file by the hash of its bytes; -1 for none.
    private var last: [Int32]
    /// The block before with the same hash.
    private var previous: [Int32]
    private let mask: Int
    private var output: [UInt8] = []
    /// Where the bytes begin that are not written yet.
    private var pending = 0

    init(_ earlier: UnsafeBufferPointer<UInt8>, _ file: UnsafeBufferPointer<UInt8>) {
        (self.earlier, self.file) = (earlier, file)
        let blocks = earlier.count / Self.block
        var slots = 16
        while slots < blocks { slots *= 2 }
        mask = slots - 1
        last = Array(repeating: -1, count: slots)
        previous = Array(repeating: -1, count: blocks)
        for block in 0..<blocks {
            let slot = slot(of: earlier, at: block * Self.block)
            previous[block] = last[slot]
            last[slot] = Int32(block)
        }
    }

    mutating func write() -> [UInt8] {
        append(earlier.count)
        append(file.count)
        var position = 0
        // After a part that differs, files often go on as far apart as they were before it.
        var shift = 0
        while position + Self.block <= file.count {
            guard let match = match(at: position, shift: shift) else {
                position += 1
                continue
            }
            insert(upTo: match.offset)
            copy(match.earlier, match.count)
            position = match.offset + match.count
            pending = position
            shift = match.earlier - match.offset
        }
        insert(upTo: file.count)
        return output
    }

    private struct Match {
        /// Where it begins in the earlier file.
        var earlier: Int
        /// Where it begins in the file.
        var offset: Int
        var count: Int
    }

    /// The longest part around a place of the file that the earlier one has too; `nil` if it is shorter than a block.
    private func match(at position: Int, shift: Int) -> Match? {
        var best: Match?
        func compare(_ place: Int) {
            guard place >= 0, place + Self.block <= earlier.count else { return }
            let found = extended(place, position)
            if found.count >= Self.block, found.count > best?.count ?? 0 { best = found }
        }
        compare(position + shift)
        var (block, compared) = (last[slot(of: file, at: position)], 0)
        while block >= 0, compared < Self.mostCompared {
            compare(Int(block) * Self.block)
            block = previous[Int(block)]
            compared += 1
        }
        return best
    }

    /// The equal bytes around two places; those that are written already are not taken again.
    private func extended(_ place: Int, _ position: Int) -> Match {
        var (before, after) = (0, 0)
        while place + after < earlier.count, position + after < file.count,
            earlier[place + after] == file[position + after]
        {
            after += 1
        }
        while place - before > 0, position - before > pending,
            earlier[place - before - 1] == file[position - before - 1]
        {
            before += 1
        }
        return Match(earlier: place - before, offset: position - before, count: before + after)
    }

    private func slot(of bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
        let words = UnsafeRawBufferPointer(bytes)
        let low = words.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let high = words.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
        let mixed = (low &* 0x9E37_79B9_7F4A_7C15) ^ (high &* 0xC2B2_AE3D_27D4_EB4F)
        return Int((mixed ^ (mixed >> 32)) & UInt64(mask))
    }

    // MARK: - Writing

    private mutating func append(_ number: Int) {
        var rest = number
        while rest >= 0x80 {
            output.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(rest))
    }

    private mutating func insert(upTo end: Int) {
        while pending < end {
            let count = min(Self.longestInsert, end - pending)
            output.append(UInt8(count))
            output += file[pending..<pending + count]
            pending += count
        }
    }

    private mutating func copy(_ offset: Int, _ count: Int) {
        var (offset, rest) = (offset, count)
        while rest > 0 {
            let count = min(Self.longestCopy, rest)
            // A count of 0 means 64 KiB.
            let fields = offset | (count == 0x10000 ? 0 : count << 32)
            let place = output.count
            output.append(0x80)
            for bit in 0..<7 where fields >> (8 * bit) & 0xFF != 0 {
                output[place] |= 1 << UInt8(bit)
                output.append(UInt8(fields >> (8 * bit) & 0xFF))
            }
            offset += count
            rest -= count
        }
    }
}
