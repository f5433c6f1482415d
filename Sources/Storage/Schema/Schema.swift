/// What brings a file from one version of the schema to the next, frozen once released.
struct Migration: Sendable, ExpressibleByStringLiteral {
    /// The statements, which come first.
    let sql: String
    /// What SQL cannot do; also says that much room is left over.
    var convert: (@Sendable (Connection) throws -> Void)?

    init(sql: String, convert: (@Sendable (Connection) throws -> Void)? = nil) {
        self.sql = sql
        self.convert = convert
    }

    init(stringLiteral sql: String) { self.init(sql: sql) }
}

/// The versions of the schema: the version of a file is the number of migrations it has been through.
struct Schema: Sendable {
    let migrations: [Migration]

    /// The version that all migrations lead to.
    var version: Int { migrations.count }

    /// The schema of this version of Kanmon.
    static let current = Schema(migrations: [
        version1, version2, version3, version4, version5, version6, version7, version8, version9, version10,
    ])

    /// Marks a file as Kanmon's in SQLite's header: "KNMN".
    static let applicationID = 0x4B4E_4D4E
}
