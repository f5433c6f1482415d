import Foundation
public import RunModel

extension Delivery {
    /// A list of files: three values for each, and a manifest names at most 10,000 artifacts and as many sources.
    private static let limit = 120_000

    /// Reads a list. Its values are counted before it is decoded: a number of one byte takes many in memory.
    ///
    /// - Returns: `nil` for what is no list.
    /// - Throws: `EvidenceError.tooLarge` beyond the limits.
    public static func read(_ bytes: [UInt8]) throws(EvidenceError) -> Delivery? {
        try ValueLimit(bytes: largestList, values: limit).check(bytes, file: "the list of files")
        return try? JSONDecoder().decode(Delivery.self, from: Data(bytes))
    }
}
