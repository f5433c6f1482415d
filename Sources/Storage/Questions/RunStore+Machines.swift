public import Foundation
public import RunModel

extension RunStore {
    /// The runs that machines delivered, counted by project, machine, token and trust.
    ///
    /// - Parameter since: Runs that began earlier do not count.
    public func deliveredRuns(since: Date) throws(StorageError) -> [DeliveredRuns] {
        try read { connection in
            try connection.statement(.deliveredRuns).all(since.nanosecondsSince1970 ?? .min) { row in
                let trust: Trust =
                    !row.flag(4) ? .workingCopy : row.flag(7) ? .distrusted : row.flag(3) ? .ci : .laptop
                return DeliveredRuns(
                    project: row.text(0), host: row.optionalText(1), token: row.text(2), trust: trust,
                    count: row.int(5), latest: Date(timeIntervalSinceReferenceDate: Double(row.integer(6))))
            }
        }
    }
}
