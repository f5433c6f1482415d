/// A raw profile as the instrumented program of a 64-bit machine writes it: which functions there are, and their counters.
///
/// The format is version 10 of LLVM's (`RawInstrProf::Header` and `__llvm_profile_data` in `InstrProfData.inc`). What Swift
/// does not write is not read: bitmaps, values, virtual tables, several profiles in one file.
struct RawProfile {
    /// A function as the profile knows it.
    struct Entry {
        /// The digest of its name.
        let name: UInt64
        /// The digest of its structure; 0 for all of Swift.
        let structure: UInt64
        let counters: UnsafeRawBufferPointer
    }

    private static let magic: UInt64 = 0xFF6C_7072_6F66_7281
    private static let version: UInt64 = 10
    private static let headSize = 128
    private static let entrySize = 64
    private static let lastValueKind: UInt64 = 2
    /// LLVM warns of counters above.
    private static let highest: UInt64 = 1 << 56

    private let entries: UnsafeRawBufferPointer
    /// All counters, 64 bits each.
    let counters: UnsafeRawBufferPointer
    /// How far the counters lay behind the first entry.
    private let distance: UInt64
    /// The names, packed.
    let names: UnsafeRawBufferPointer

    /// Finds the parts of a profile.
    init(_ bytes: UnsafeRawBufferPointer) throws(MappingFault) {
        var cursor = ByteCursor(bytes)
        var head: [UInt64] = []
        for _ in 0..<Self.headSize / 8 { head.append(try cursor.word(UInt64.self)) }
        guard head[0] == Self.magic, head[1] == Self.version, head[15] == Self.lastValueKind,
            // No bitmaps, no virtual tables and no names of such.
            head[7] == 0, head[13] == 0, head[14] == 0
        else { throw .format }
        func size(_ field: Int, of unit: Int = 1) throws(MappingFault) -> Int {
            guard head[field] <= UInt64(bytes.count / unit) else { throw .truncated }
            return Int(head[field]) &* unit
        }
        try Self.checkIdentities(try cursor.take(try size(2)))
        entries = try cursor.take(try size(3, of: Self.entrySize))
        _ = try cursor.take(try size(4))
        counters = try cursor.take(try size(5, of: 8))
        _ = try cursor.take(try size(6))
        _ = try cursor.take(try size(8))
        names = try cursor.take(try size(9))
        _ = try cursor.take(-names.count & 7)
        guard cursor.isAtEnd else { throw .format }
        distance = head[10]
    }

    /// Identities of binaries: each its length and as many bytes, filled up to a multiple of eight.
    private static func checkIdentities(_ bytes: UnsafeRawBufferPointer) throws(MappingFault) {
        guard bytes.count & 7 == 0 else { throw .format }
        var cursor = ByteCursor(bytes)
        while !cursor.isAtEnd {
            let count = try cursor.word(UInt64.self)
            guard count > 0, count <= UInt64(bytes.count) else { throw .format }
            _ = try cursor.take((Int(count) &+ 7) & ~7)
        }
    }

    /// Tells every function in the order of the profile.
    func each(_ take: (Entry) throws(MappingFault) -> Void) throws(MappingFault) {
        var cursor = ByteCursor(entries)
        var left = counters.count / 8
        while !cursor.isAtEnd {
            // Where counters lie is said from the place of each entry.
            let base = distance &- UInt64(cursor.offset)
            let name = try cursor.word(UInt64.self)
            let structure = try cursor.word(UInt64.self)
            let offset = try cursor.word(UInt64.self) &- base
            // Where its bitmap, its code and its values lie.
            _ = try cursor.take(24)
            let count = Int(try cursor.word(UInt32.self))
            // Nothing was noted down but counters.
            let sites = try cursor.word(UInt64.self) & 0xFFFF_FFFF_FFFF
            let bitmaps = try cursor.word(UInt32.self)
            guard sites == 0, bitmaps == 0, count > 0, offset & 7 == 0 else { throw .format }
            guard offset < UInt64(counters.count), count <= (counters.count &- Int(offset)) / 8 else {
                throw .truncated
            }
            // No counter is of two functions, so that what is added up is never more than what was read.
            left &-= count
            guard left >= 0 else { throw .format }
            let own = UnsafeRawBufferPointer(rebasing: counters[Int(offset)..<Int(offset) &+ count &* 8])
            try take(Entry(name: name, structure: structure, counters: own))
        }
    }

    /// Whether no counter is beyond what any real run counts.
    var isPlausible: Bool {
        var bits: UInt64 = 0
        for offset in stride(from: 0, to: counters.count, by: 8) {
            bits |= UInt64(littleEndian: counters.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        return bits < Self.highest
    }
}
