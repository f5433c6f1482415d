import Evidence
import Foundation
import Objects
import RunModel

/// The runs in the inbox of a store of objects that the server of a home cannot read, and why: a file in the home for each, so that what
/// was given up is not begun anew by a restart, and other commands can tell of it. Without it everything is tried again.
package struct InboxLedger: Sendable {
    /// What is known of a run that cannot be read.
    package struct Entry: Sendable, Hashable, Codable {
        /// The version of this format.
        var schemaVersion = 1
        /// The store of objects, as it is written.
        package let place: String
        /// The key of the object that says that the run is there.
        package let key: String
        /// When that was put, as the store says: put again it is another one.
        let put: String?
        /// When it could not be read for the first time.
        package let since: String
        /// How often it could not be read.
        package var attempts = 0
        /// Why.
        package var reason = ""

        /// Whether it is not tried any more.
        package var isGivenUp: Bool { attempts >= InboxLedger.mostAttempts }

        /// Whether it was tried for so long that somebody should know.
        package var isToTell: Bool { attempts >= InboxLedger.quickAttempts }
    }

    /// So often a run is tried every minute, for an hour.
    static let quickAttempts = 60
    /// So often it is tried in all: after the first hour once an hour, until two days are over.
    static let mostAttempts = quickAttempts + 47
    /// How many runs are written down; who can put into an inbox could fill the disk with more.
    private static let most = 10_000
    /// The largest file that is read, in bytes.
    private static let largest = 64 << 10
    /// The longest reason, in characters.
    private static let longestReason = 1000

    private let folder: String

    package init(_ home: Home) { folder = home.path + "/inbox" }

    /// The name of the file of a run. Keys are longer than names may be.
    private static func name(_ key: ObjectKey) -> String { Digest.sha256(Array(key.text.utf8)) }

    private func path(_ key: ObjectKey) -> String { "\(folder)/\(Self.name(key))" }

    /// The names of all files.
    func names() -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(names.filter { Digest.isWellFormed($0) })
    }

    /// What is known of a run; `nil` where it was not unreadable, or was put again since.
    func entry(of object: ObjectPage.Entry, in place: String) -> Entry? {
        guard let entry = read(path(object.key)), entry.place == place, entry.key == object.key.text,
            entry.put == object.modified.map({ Timestamp.text(of: $0) })
        else { return nil }
        return entry
    }

    /// Everything that somebody should know of, in the order of the keys.
    package func entries() -> [Entry] {
        names().compactMap { read("\(folder)/\($0)") }.filter(\.isToTell)
            .sorted { (Name($0.place), Name($0.key)) < (Name($1.place), Name($1.key)) }
    }

    /// Notes that a run could not be read, once more; returns what is known of it now.
    func add(_ object: ObjectPage.Entry, in place: String, because reason: String, at moment: Date) throws -> Entry {
        let put = object.modified.map { Timestamp.text(of: $0) }
        let before = entry(of: object, in: place)
        var entry =
            before ?? Entry(place: place, key: object.key.text, put: put, since: Timestamp.text(of: moment))
        entry.attempts += 1
        entry.reason = String(reason.prefix(Self.longestReason))
        guard before != nil || names().count < Self.most else { return entry }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try SmallFile.replace(path(object.key), with: Array(try JSONEncoder.steadyLines.encode(entry)))
        return entry
    }

    /// Forgets a run: it was taken, or is to be tried as if it were new.
    func forget(_ key: ObjectKey) { unlink(path(key)) }

    /// Forgets all runs but those that are in an inbox.
    func forget(_ names: Set<String>) { for name in names { unlink("\(folder)/\(name)") } }

    /// Leaves those out that are of an object.
    static func remove(_ key: ObjectKey, from names: inout Set<String>) {
        if !names.isEmpty { names.remove(name(key)) }
    }

    /// What a file says; one that cannot be read says nothing, and costs some attempts.
    private func read(_ path: String) -> Entry? {
        guard let bytes = try? SmallFile.read(path, limit: Self.largest),
            let entry = try? JSONDecoder().decode(Entry.self, from: Data(bytes)), entry.schemaVersion == 1
        else { return nil }
        return entry
    }
}
