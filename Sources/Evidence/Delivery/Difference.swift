/// A file as what it takes from an earlier one: parts that are copied, and bytes between them.
///
/// The form is that of the deltas in git's packs (gitformat-pack(5), "Deltified representation"): the sizes of both files, then
/// instructions. One with the top bit set copies up to 16 MiB from an offset below 4 GiB; 1 to 127 are that many bytes as they
/// are; 0 is reserved.
public enum Difference {
    /// The largest file that a difference is made from or to, in bytes: 16 MiB.
    public static let largestFile = 16 << 20
    /// The largest difference that is taken, in bytes: 4 MiB.
    public static let largest = 4 << 20

    /// The difference between two files.
    public static func between(_ earlier: [UInt8], _ file: [UInt8]) -> [UInt8] {
        earlier.withUnsafeBufferPointer { earlier in
            file.withUnsafeBufferPointer { file in
                var writer = DifferenceWriter(earlier, file)
                return writer.write()
            }
        }
    }

    /// The file that a difference describes.
    ///
    /// - Parameters:
    ///   - difference: May be anything.
    ///   - earlier: The file that it is a difference from.
    /// - Throws: `EvidenceError.damaged` for what is no difference from that file, `.tooLarge` for a file above `largestFile`.
    public static func apply(_ difference: [UInt8], to earlier: [UInt8]) throws(EvidenceError) -> [UInt8] {
        var rest = difference[...]
        guard try number(&rest) == earlier.count else { throw fault("it is one from a file of another length") }
        let size = try number(&rest)
        guard size <= largestFile else {
            throw .tooLarge(file: name, reason: "it makes \(size) bytes, the limit is \(largestFile)")
        }
        var file: [UInt8] = []
        file.reserveCapacity(size)
        while file.count <= size, let instruction = rest.popFirst() {
            if instruction & 0x80 != 0 {
                let (offset, count) = try copied(instruction, &rest)
                guard offset + count <= earlier.count else {
                    throw fault("it copies what the earlier file does not have")
                }
                guard count <= size - file.count else { throw wrongSize }
                file += earlier[offset..<offset + count]
            } else {
                let count = Int(instruction)
                guard count > 0, count <= rest.count else { throw fault("it has an instruction that is none") }
                file += rest.prefix(count)
                rest = rest.dropFirst(count)
            }
        }
        guard file.count == size else { throw wrongSize }
        return file
    }

    /// Where a copied part begins, and how many bytes it has.
    private static func copied(
        _ instruction: UInt8, _ rest: inout ArraySlice<UInt8>
    ) throws(EvidenceError) -> (offset: Int, count: Int) {
        var fields = 0
        for bit in 0..<7 where instruction & (1 << UInt8(bit)) != 0 {
            guard let byte = rest.popFirst() else { throw fault("it ends within an instruction") }
            fields |= Int(byte) << (8 * bit)
        }
        let count = fields >> 32
        return (fields & 0xFFFF_FFFF, count == 0 ? 0x10000 : count)
    }

    /// A number with seven bits in each byte, the lowest first. A file that is taken needs no more than five of them.
    private static func number(_ rest: inout ArraySlice<UInt8>) throws(EvidenceError) -> Int {
        var value = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard let byte = rest.popFirst() else { throw fault("it ends within a number") }
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw fault("it has a number that is too long")
    }

    private static let name = "the difference"
    private static let wrongSize = fault("it makes more or fewer bytes than it says")
    private static func fault(_ reason: String) -> EvidenceError { .damaged(file: name, reason: reason) }
}
