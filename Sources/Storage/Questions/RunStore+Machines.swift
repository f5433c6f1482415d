public import Foundation
public import RunModel

extension RunStore {
    /// The runs that machines delivered, counted by project, machine, token and trust.
    ///
    /// - Parameters:
    ///   - since: Runs that began earlier do not count.
    ///   - scope: The projects.
    public func deliveredRuns(since: Date, in scope: ProjectScope = .all) throws(StorageError) -> [DeliveredRuns] {
        try read { connection in
            try connection.projects(in: scope).flatMap { project in
                try connection.statement(.deliveredRuns).all(since.nanosecondsSince1970 ?? .min, project) { row in
                    let trust: Trust =
                        !row.flag(4) ? .workingCopy : row.flag(7) ? .distrusted : row.flag(3) ? .ci : .laptop
                    return DeliveredRuns(
                        project: row.text(0), host: row.optionalText(1), token: row.text(2), trust: trust,
                        count: row.int(5), latest: Date(timeIntervalSinceReferenceDate: Double(row.integer(6))))
                }
            }
        }
    }
}
