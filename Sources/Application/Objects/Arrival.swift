import Evidence
import Foundation
import RunModel

/// That a server has taken in a run: who delivered it, and which manifest it has. An object of its own for each delivery, which
/// stands beside the others of the run and never changes.
struct Arrival: Sendable, Hashable, Codable {
    /// The largest that is read, in bytes.
    static let largest = 64 << 10

    /// The version of this format.
    var schemaVersion = 1
    let run: RunID
    /// Its project, as its manifest names it.
    let project: String
    /// The SHA-256 of its manifest.
    let manifest: String
    /// How it came: what the server noted, as a token's rights are in no manifest.
    let delivery: DeliveryRecord

    init(_ run: RunID, of project: String, manifest: String, _ delivery: DeliveryRecord) {
        self.run = run
        self.project = project
        self.manifest = manifest
        self.delivery = delivery
    }

    /// The text of the object.
    func encoded() throws -> [UInt8] {
        return Array(try JSONEncoder.steadyLines.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Reads the text of an object; `nil` for what is none, or of another version or run than its key says.
    init?(_ bytes: [UInt8], at place: RunPlace) {
        guard let arrival = try? JSONDecoder.steady.decode(Arrival.self, from: Data(bytes)), arrival.schemaVersion == 1,
            Digest.isWellFormed(arrival.manifest), RunPlace(arrival.run, of: arrival.project) == place
        else { return nil }
        self = arrival
    }
}

/// The place of a run among the objects.
struct RunPlace: Sendable, Hashable, Comparable {
    /// The SHA-256 of the project's name: a name may have what no key may.
    let project: String
    let id: RunID

    init(_ id: RunID, of project: String) {
        self.id = id
        self.project = Digest.sha256(Array(project.utf8))
    }

    /// The place that parts of a key name; `nil` for what is none.
    init?(project: some StringProtocol, id: some StringProtocol) {
        guard Digest.isWellFormed(String(project)), let id = RunID(String(id)) else { return nil }
        self.project = String(project)
        self.id = id
    }

    /// Ordered as keys are.
    static func < (left: RunPlace, right: RunPlace) -> Bool {
        (left.project, left.id) < (right.project, right.id)
    }
}
