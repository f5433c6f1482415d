/// The versions of the schema: the version of a file is the number of migrations it has been through.
struct Schema: Sendable {
    /// SQL that brings a file from one version to the next, frozen once released.
    let migrations: [String]

    /// The version that all migrations lead to.
    var version: Int { migrations.count }

    /// The schema of this version of Kanmon.
    static let current = Schema(migrations: [version1, version2, version3, version4, version5, version6])

    /// Marks a file as Kanmon's in SQLite's header: "KNMN".
    static let applicationID = 0x4B4E_4D4E
}
