import Application
import Storage
import TestResults

/// What this program is: its version, the commit and the compiler it was built with, and the system libraries it runs with.
struct BuildIdentity: Encodable {
    /// `git archive` puts the commit and its date here; a build of a clone has none. See gitattributes(5), export-subst.
    private static let archived = "$Format:%H %cs$"

    /// The version, as `kanmon --version` prints it.
    let version = Release.version
    /// The commit it was built from, in full; `nil` for a build of a clone, whose files may have been edited.
    let commit: String?
    /// The day of that commit, such as `2026-11-25`.
    let commitDate: String?
    /// The compiler, such as `Swift 6.3.1`.
    let compiler = Self.swiftVersion
    /// The version of each system library, as the library itself says.
    let libraries = [
        "libxml2": SystemLibraries.libxml2, "sqlite": RunStore.sqliteVersion, "zlib": SystemLibraries.zlib,
    ]

    /// Reads what `git archive` wrote.
    ///
    /// - Parameter archived: A commit and its date, or the placeholder that a clone has.
    init(archived: String = Self.archived) {
        let parts = archived.split(separator: " ").map(String.init)
        let isArchived = parts.count == 2 && !archived.hasPrefix("$")
        commit = isArchived ? parts[0] : nil
        commitDate = isArchived ? parts[1] : nil
    }

    /// A line for each.
    func text() -> String {
        let built = if let commit, let commitDate { "\(commit) of \(commitDate)" } else { "none: built in a clone" }
        return """
            kanmon \(version)
            commit    \(built)
            compiler  \(compiler)
            libxml2   \(libraries["libxml2"] ?? "")
            SQLite    \(libraries["sqlite"] ?? "")
            zlib      \(libraries["zlib"] ?? "")
            """
    }

    /// A program cannot ask which compiler built it, only whether that is at least of a version.
    private static var swiftVersion: String {
        #if compiler(>=6.3.2)
            "Swift 6.3.2 or later"
        #elseif compiler(>=6.3.1)
            "Swift 6.3.1"
        #else
            "Swift 6.3.0"
        #endif
    }
}
