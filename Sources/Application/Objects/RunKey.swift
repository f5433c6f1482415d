import Foundation
import Objects
import RunModel

/// Under which keys the objects of runs are. The first part is the version of the layout. What is under a key never changes.
enum RunKey {
    /// The folder of the files.
    static let blobs = "v1/blobs"
    /// The folder of the manifests.
    static let manifests = "v1/manifests"
    /// The folder of the arrivals.
    static let arrivals = "v1/arrivals"

    /// A file, by its SHA-256.
    static func blob(_ sha256: String) throws -> ObjectKey { try key("\(blobs)/\(sha256.prefix(2))/\(sha256)") }

    /// A manifest under its SHA-256, so that two of one run are two objects.
    static func manifest(_ sha256: String, of place: RunPlace) throws -> ObjectKey {
        try key("\(manifests)/\(place.project)/\(place.id)/\(sha256)")
    }

    static func arrivalFolder(of place: RunPlace) -> String { "\(arrivals)/\(place.project)/\(place.id)" }

    /// An arrival of a run. Those of one run are in the order of their times, and of several servers none has the key of another.
    static func arrival(of place: RunPlace, at moment: Date, server: String) throws -> ObjectKey {
        try key("\(arrivalFolder(of: place))/\(Timestamp.text(of: moment))-\(server)")
    }

    /// The run of the arrival under a key; `nil` for a key that is of none.
    static func place(ofArrival key: ObjectKey) -> RunPlace? { place(of: key, in: arrivals) }

    /// The run of an arrival or a manifest under a key; `nil` for a key that is of none.
    static func place(of key: ObjectKey, in folder: String) -> RunPlace? {
        let parts = key.text.split(separator: "/")
        guard parts.count == 5, "\(parts[0])/\(parts[1])" == folder else { return nil }
        return RunPlace(project: parts[2], id: parts[3])
    }

    /// The moment in the key of an arrival; `nil` where it has none.
    static func moment(ofArrival key: ObjectKey) -> Date? { Timestamp.date(of: String(end(of: key).prefix(24))) }

    /// The folder of what machines offer that cannot reach a server, each an empty object below the name under which it was put.
    static let inboxRuns = "v1/inbox/runs"
    /// The folder of the files of what they offer.
    static let inboxFiles = "v1/inbox/files"

    /// The folder of what sweeps have set aside.
    static let setAside = "v1/set-aside"

    /// The folder of the copies of what sweeps have set aside of the files or the manifests.
    static func copies(in folder: String) -> String { "\(setAside)/\(folder.dropFirst(3))" }

    /// The folder of the copies of a file or manifest that sweeps have set aside.
    static func copyFolder(of key: ObjectKey) -> String { copies(in: key.text) }

    /// A copy of a file or manifest. No two sweeps write the same one.
    static func copy(of key: ObjectKey, at moment: Date, server: String) throws -> ObjectKey {
        try self.key("\(copyFolder(of: key))/\(Timestamp.text(of: moment))-\(server)")
    }

    /// The file or manifest of which a copy is, and when it was set aside; `nil` for a key that is of no copy.
    static func original(ofCopy key: ObjectKey) -> (key: ObjectKey, moment: Date)? {
        let parts = key.text.split(separator: "/")
        guard parts.count > 3, "\(parts[0])/\(parts[1])" == setAside,
            let moment = Timestamp.date(of: String(end(of: key).prefix(24))),
            let original = ObjectKey("v1/" + parts[2..<parts.count - 1].joined(separator: "/"))
        else { return nil }
        return (original, moment)
    }

    /// The last part of a key.
    static func end(of key: ObjectKey) -> String { key.text.split(separator: "/").last.map(String.init) ?? "" }

    static let logFolder = "v1/log"

    /// Where the log is at a moment: every key of that moment or a later one is behind it.
    static func log(at moment: Date) -> String {
        let time = Timestamp.text(of: moment)
        return "\(logFolder)/\(time.prefix(10))/\(time)"
    }

    static func key(_ text: String) throws -> ObjectKey {
        guard let key = ObjectKey(text) else { throw ObjectError(.failed, "'\(text)' is the key of no object") }
        return key
    }
}
