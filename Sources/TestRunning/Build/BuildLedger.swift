import Foundation
import RunModel

/// What is remembered of the last build in a scratch folder, so that the next one can tell what changed.
struct BuildLedger: Sendable, Hashable, Codable {
    /// The name of the ledger in the scratch folder.
    static let fileName = "kanmon-build.json"
    /// The version of the ledger; products that were built by the rules of another one are built again.
    static let currentVersion = 4

    /// A module, or another file that compilers made and other compilers read.
    struct Made: Sendable, Hashable, Codable {
        /// Its path, relative to the products.
        var path: String
        /// Its stamp, as described.
        var stamp: String
        /// The SHA-256 of its content.
        var sha256: String
        /// Since when it has had this content, in nanoseconds since 1970: what was compiled before read another.
        var since: Int64
    }

    /// A part of the products.
    struct Part: Sendable, Hashable, Codable {
        var name: String
        /// The hash of its stamps.
        var stamps: String
    }

    /// The modules that the target of a module can reach.
    struct Reach: Sendable, Hashable, Codable {
        /// The name of the module's folder.
        var folder: String
        /// The hash of their names.
        var modules: String
    }

    /// The version of this ledger.
    var version = Self.currentVersion
    /// The hash of toolchain, command and environment.
    var fingerprint: String
    /// The hash of the variables that programs of the build may look at, though no compiler does.
    var variables = ""
    /// When everything was built from nothing, by the clock of people.
    var cleaned: Date?
    /// The hash of all names and stamps of sources; `nil` if a later change could leave it as it is.
    var sources: String?
    /// What the last build left that came to its end; a build that is killed writes what is not among it.
    var parts: [Part] = []
    /// What compilers read of what others made.
    var made: [Made] = []
    /// What the targets of all modules can reach.
    var reach: [Reach] = []
    /// Files outside of the sources' folders that compilers read, absolute.
    var elsewhere: [String] = []
    /// Whether compilers or linkers may have read files of the repository beside the package.
    var isWide = false
    /// Modules that are imported, or asked for by `#if canImport`, although no declared dependency leads to them.
    var undeclared: [String] = []
}

extension BuildLedger {
    /// Reads the ledger of a scratch folder; `nil` if there is none of this version.
    static func read(in scratchPath: String) -> BuildLedger? {
        FileManager.default.contents(atPath: "\(scratchPath)/\(fileName)")
            .flatMap { try? JSONDecoder().decode(BuildLedger.self, from: $0) }
            .flatMap { $0.version == currentVersion ? $0 : nil }
    }

    /// Writes the ledger.
    func write(in scratchPath: String) throws(RunnerError) {
        let path = "\(scratchPath)/\(Self.fileName)"
        try onFileSystem("write", path) {
            try JSONEncoder().encode(self).write(to: URL(filePath: path), options: .atomic)
        }
    }
}
