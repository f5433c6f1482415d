import Foundation
import RunModel

extension StatementRow {
    /// The identity of a run.
    func runID(_ column: Int32) throws -> RunID {
        let text = text(column)
        guard let id = RunID(text) else { throw UnreadableContent("'\(text)' is no run id") }
        return id
    }

    /// The identity of a test in four columns from `column` on.
    func testID(_ column: Int32) -> TestID {
        TestID(
            module: text(column), suite: text(column + 1), name: text(column + 2), discriminator: text(column + 3)
        )
    }

    /// A place in three columns from `column` on: path, line, column.
    func location(_ column: Int32) -> SourceLocation? {
        isNull(column)
            ? nil : SourceLocation(path: text(column), line: int(column + 1), column: optionalInt(column + 2))
    }

    func optionalDuration(_ column: Int32) -> Duration? { optionalInteger(column).map { .nanoseconds($0) } }

    /// The order of a test and the identity in four columns from `column` on, byte by byte: below, equal to or above 0.
    func compare(_ id: IdentityBytes, _ column: Int32) -> Int {
        var result = compare(id.module, column)
        if result == 0 { result = compare(id.suite, column + 1) }
        if result == 0 { result = compare(id.name, column + 2) }
        return result == 0 ? compare(id.discriminator, column + 3) : result
    }

    private func compare(_ left: UnsafeRawBufferPointer, _ column: Int32) -> Int {
        withBytes(column) { right in
            var order: Int32 = 0
            if let one = left.baseAddress, let other = right.baseAddress {
                order = memcmp(one, other, min(left.count, right.count))
            }
            return order == 0 ? left.count - right.count : Int(order)
        }
    }
}
