/// Reads the steps of a coverage in either form: in columns, or, as they were once written, record by record.
struct CoverageSteps {
    private var columns: CoverageColumns.Reader?
    private var rest: ArraySlice<UInt8> = []

    init(_ body: [UInt8]) throws {
        if body.starts(with: CoverageColumns.mark) {
            columns = try CoverageColumns.Reader(body)
        } else {
            rest = try Deflate.unpacked(body)[...]
        }
    }

    var isAtEnd: Bool { columns?.isAtEnd ?? rest.isEmpty }

    mutating func takeCount(atMost limit: Int) throws -> Int {
        try columns?.takeCount(atMost: limit) ?? Varint.takeCount(from: &rest, atMost: limit)
    }

    /// How far to move in the run before.
    mutating func takeMove() throws -> Int64 { try columns?.takeMove() ?? Varint.takeZigzag(from: &rest) }

    mutating func takeRecord() throws -> CoverageRecord {
        if let record = try columns?.takeRecord() { return record }
        let file = Int64(bitPattern: try Varint.take(from: &rest))
        return CoverageRecord(file: file, body: try Varint.takeList(from: &rest))
    }
}
