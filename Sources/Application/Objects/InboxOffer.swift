import Access
import Evidence
import Objects
import RunModel

/// That a machine has put a run into the inbox of a store of objects. Everything that it says is in its key, and nothing of it is trusted.
///
/// The inbox is apart from what servers write, so that credentials which can only put below it make nobody vouch for anything.
struct InboxOffer: Sendable, Hashable {
    /// Under which name it was put: who may put under that is for the store to say.
    let name: String
    /// The run.
    let run: RunID
    /// The SHA-256 of its manifest.
    let manifest: String

    init(name: String, run: RunID, manifest: String) {
        self.name = name
        self.run = run
        self.manifest = manifest
    }

    /// The offer under a key; `nil` for a key that is of none.
    init?(_ key: ObjectKey) {
        let parts = key.text.split(separator: "/")
        // A run has 36 characters, a manifest 64.
        guard parts.count == 5, parts[4].utf8.count == 36 + 1 + 64, AccessToken.isName(String(parts[3])),
            let run = RunID(String(parts[4].prefix(36))), Digest.isWellFormed(String(parts[4].suffix(64)))
        else { return nil }
        self.init(name: String(parts[3]), run: run, manifest: String(parts[4].suffix(64)))
        guard keyText == key.text else { return nil }
    }

    private var keyText: String { "\(RunKey.inboxRuns)/\(place)" }

    /// The name, and what tells it from the other offers of that.
    private var place: String { "\(name)/\(run)-\(manifest)" }

    /// Its key.
    var key: ObjectKey { get throws { try RunKey.key(keyText) } }

    /// The folder of its files, which no other offer has.
    var folder: String { "\(RunKey.inboxFiles)/\(place)" }

    /// One of its files, or its manifest.
    func file(_ sha256: String) throws -> ObjectKey { try RunKey.key("\(folder)/\(sha256)") }

    /// What stands for a token in the records of what came under its name. No token has such a name.
    var token: String { "inbox:\(name)" }
}

extension RunObjects {
    /// Puts a run into the inbox, for a server to take in. Whole there when it returns; nothing is read or listed.
    ///
    /// - Parameter patience: How long to try beside a second for each 128 KiB.
    /// - Returns: How many files it has, and their bytes.
    /// - Throws: `EvidenceError` for a run that no server takes; `ObjectError`.
    func offer(
        _ directory: RunDirectory, as name: String, patience: Duration
    ) async throws -> (files: Int, bytes: Int) {
        let manifest = try directory.manifest()
        let delivery = Delivery(project: manifest.project, files: try directory.files())
        try delivery.checkProject()
        try delivery.check()
        guard let sha256 = delivery.manifestFile?.sha256 else {
            throw EvidenceError.notARunDirectory(path: directory.path)
        }
        let offer = InboxOffer(name: name, run: manifest.id, manifest: sha256)
        var seen: Set<String> = []
        let files = delivery.files.filter { seen.insert($0.sha256).inserted }
        let bytes = files.reduce(0) { $0 + $1.size }
        let deadline = ContinuousClock.now + patience + .seconds(bytes >> 17)
        try await Self.each(files) { file in
            let content = ObjectContent(try directory.open(file.path), sha256: file.sha256)
            try await store.put(content, at: offer.file(file.sha256), until: deadline)
        }
        // It names the files, so it is the last.
        try await store.put(ObjectContent([]), at: offer.key, until: deadline)
        return (files.count, bytes)
    }
}
