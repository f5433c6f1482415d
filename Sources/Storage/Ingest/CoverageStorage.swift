/// Writes and reads the coverage of runs as chains.
struct CoverageStorage {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The row of the coverage: that of the run before where nothing differs, else a new one.
    func store(_ records: [CoverageRecord], project: Int64, before moment: Int64, identity: String) throws -> Int64 {
        let known = try connection.statement(.coverageBefore).first(project, moment, identity) { $0.integer(0) }
        var steps = 0
        var step: [UInt8]?
        if let known {
            let base = try self.records(known)
            if base == records { return known }
            steps = try (connection.statement(.coverageStep).first(known) { $0.int(2) } ?? 0) + 1
            if steps <= CoverageChain.mostSteps(files: records.count) {
                step = try CoverageChain.encode(records, from: base)
            }
        }
        let whole = try CoverageChain.encode(records, from: [])
        let insert = try connection.statement("INSERT INTO coverage (base, steps, body) VALUES (?1, ?2, ?3)")
        if let step, step.count < whole.count / 2 {
            try insert.execute(known, steps, step)
        } else {
            try insert.execute(nil as Int64?, 0, whole)
        }
        return connection.lastInsertedRow
    }

    /// The files of a coverage.
    func records(_ id: Int64) throws -> [CoverageRecord] {
        var steps: [[UInt8]] = []
        var next: Int64? = id
        while let id = next {
            let found = try connection.statement(.coverageStep).first(id) {
                (base: $0.optionalInteger(0), body: $0.bytes(1))
            }
            guard let found else { throw UnreadableContent("the coverage \(id) is missing") }
            guard found.base.map({ $0 < id }) ?? true else {
                throw UnreadableContent("the coverage \(id) goes in a circle")
            }
            steps.append(found.body)
            next = found.base
        }
        return try steps.reversed().reduce([]) { try CoverageChain.decode($1, from: $0) }
    }
}
