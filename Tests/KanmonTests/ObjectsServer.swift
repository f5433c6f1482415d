import Access
import Dashboard
import Evidence
import Foundation
import RunModel

@testable import Application
@testable import Objects

/// A server with a home of its own over a store of objects, without its network: it takes in runs as one does that is called.
struct ObjectsServer: Sendable {
    let folder: TestFolder
    let objects: RunObjects

    /// A run directory as it is offered.
    struct Offer: Sendable {
        let directory: RunDirectory
        let id: RunID
        let delivery: Delivery

        init(_ path: String) throws {
            directory = RunDirectory(path: path)
            let manifest = try directory.manifest()
            id = manifest.id
            delivery = Delivery(project: manifest.project, files: try directory.files())
        }

        /// The hash of the manifest.
        var manifest: String { delivery.manifestFile?.sha256 ?? "" }
        /// The hashes of all other files.
        var files: Set<String> { Set(delivery.files.filter { $0.path != RunManifest.fileName }.map(\.sha256)) }
        /// The place of the run among the objects.
        var place: RunPlace { RunPlace(id, of: delivery.project) }

        /// The same run of a package with another name, so with another manifest.
        func changed(in folder: TestFolder) throws -> Offer {
            let copy = "\(folder.path)/changed"
            try FileManager.default.copyItem(atPath: directory.path, toPath: copy)
            let manifest = "\(copy)/manifest.json"
            let text = try String(contentsOfFile: manifest, encoding: .utf8)
            try text.replacing("\"package\": \"Mixed\"", with: "\"package\": \"Other\"")
                .write(toFile: manifest, atomically: true, encoding: .utf8)
            return try Offer(copy)
        }
    }

    /// That there is no turn for what is to be judged.
    struct Busy: Error {}

    /// - Parameter clock: The moment for the keys of this server.
    init(_ store: any ObjectStore, name: String, at clock: Date) throws {
        folder = try TestFolder()
        objects = RunObjects(store, at: "memory", server: name) { clock }
    }

    var home: Home { Home(folder.home, process: folder.process) }

    /// Adds a token, of which nobody has the secret.
    func addToken(_ name: String, _ scope: AccessScope) throws {
        home.prepare()
        try TokenFile(path: home.tokens).add(
            AccessToken(
                name: name, scope: scope, projects: [ProjectPattern("*")].compactMap(\.self),
                created: Date(timeIntervalSince1970: 1_700_000_000), expires: nil,
                sha256: Digest.sha256(Array(name.utf8))))
    }

    /// Adds the token of CI, and that of a laptop.
    func addTokens() throws {
        try addToken("ci", .attest)
        try addToken("laptop", .submit)
    }

    /// A recorded run, as the server is offered it.
    func offer(_ name: String = "Mixed", seed: String = "a seed") throws -> Offer {
        try Offer(try folder.seededRun(name, seed: seed))
    }

    private var checkpoint: Checkpoint { Checkpoint(process: folder.process, home: home) }

    /// Takes in runs with the objects.
    var intake: DeliveryIntake { intake(keeping: objects) }

    /// Judges within this process: the program of the tests is not the one that would be started.
    func intake(keeping objects: RunObjects?) -> DeliveryIntake {
        let checkpoint = checkpoint
        return DeliveryIntake(
            checkpoint: checkpoint, blobs: BlobStore(path: home.blobs), objects: objects
        ) { path, place, whenJudged in
            try checkpoint.judgeDelivered(
                RunDirectory(path: path), movingTo: place.map { RunDirectory(path: $0) }
            ) {
                if let whenJudged { try ThreadWait.value { try await whenJudged() } }
            }
        }
    }

    /// Takes in a run, whose files it is sent first.
    func take(
        _ offer: Offer, from token: String, attests: Bool, at moment: Date, by other: DeliveryIntake? = nil
    ) async throws -> DeliveryReceipt {
        let blobs = BlobStore(path: home.blobs).sent(by: token)
        for file in offer.delivery.files where blobs.size(of: file.sha256) == nil {
            let blob = try blobs.receive(file.sha256)
            try Data(contentsOf: URL(filePath: "\(offer.directory.path)/\(file.path)")).withUnsafeBytes {
                try blob.append($0)
            }
            try blob.finish()
        }
        let record = DeliveryRecord(token: token, isAttested: attests, receivedAt: moment, address: nil)
        let intake = other ?? self.intake
        // What takes in a run waits, which no thread that all tests share may do.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try intake.take(
                            offer.id, offer.delivery, from: DeliverySender(record: record, identity: token))
                    })
            }
        }
    }

    /// Does work on a thread that may wait, as that which takes in a run does.
    static func turn(_ sender: String, _ project: String, _ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    /// The run directories, and what is unfinished among them.
    var directories: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.runs)) ?? []
        return names.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: "\(home.runs)/\($0)")) ?? [] }
    }

    /// How the run came, as its directory says.
    func delivery(of offer: Offer) throws -> DeliveryRecord? {
        try RunDirectory(path: home.runDirectory(project: offer.delivery.project, id: offer.id)).delivery()
    }
}
