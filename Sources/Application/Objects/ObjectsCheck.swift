import Access
import Evidence
import Foundation
import Objects
import RunModel

/// Compares what is kept of runs in a store of objects with itself, and with what is here.
package struct ObjectsCheck: Sendable {
    /// Something that is not as it should be.
    package struct Finding: Sendable, Hashable {
        /// What it is, and of which run.
        package let text: String
        /// Whether it is as it should be now.
        package let isRepaired: Bool
    }

    /// What was found.
    package struct Report: Sendable, Hashable {
        /// How many runs have arrived.
        package internal(set) var runs = 0
        /// How many files they have; one that several have counts once.
        package internal(set) var files = 0
        /// How many files are of no run: of deliveries that are under way, or were given up.
        package internal(set) var unused = 0
        /// What is not as it should be.
        package internal(set) var findings: [Finding] = []
        /// What is worth knowing, and harms nothing.
        package internal(set) var notes: [String] = []
    }

    /// A run that names a file, and under which path.
    private struct Naming {
        let run: RunID
        let project: String
        let path: String
        var isFound = false
    }

    private let objects: RunObjects
    private let home: Home
    private let trust: TokenTrust
    private let blobs: BlobStore
    private let reads: Bool
    private let repairs: Bool

    /// Makes a check.
    ///
    /// - Parameters:
    ///   - home: What is here.
    ///   - reads: Whether each file is read, and compared with its hash.
    ///   - repairs: Whether what is missing or damaged there and whole here is put there.
    package init(_ objects: RunObjects, _ home: Home, reads: Bool, repairs: Bool) throws {
        self.objects = objects
        self.home = home
        self.reads = reads
        self.repairs = repairs
        trust = TokenTrust(try TokenFile(path: home.tokens).tokens())
        blobs = BlobStore(path: home.blobs).sent(by: "objects")
    }

    /// Checks.
    ///
    /// - Parameter progress: Is told how many objects were looked at.
    package func report(progress: (Int) -> Void) async throws -> Report {
        home.prepare()
        var report = Report()
        var named: [String: Naming] = [:]
        var arrived: [RunPlace: Set<String>] = [:]
        var count = 0
        // Before the files, which are written first: what is under way is nowhere missing.
        try await objects.forEachRun { place in
            arrived[place] = try await checkRun(place, &named, &report)
            count += 1
            progress(count)
        }
        report.runs = arrived.count
        report.files = named.count
        try await objects.forEach(in: RunKey.blobs) { entry in
            count += 1
            progress(count)
            let sha256 = RunKey.end(of: entry.key)
            guard Digest.isWellFormed(sha256), try RunKey.blob(sha256) == entry.key else {
                report.notes.append("\(entry.key) is no file of a run")
                return
            }
            guard named[sha256] != nil else {
                report.unused += 1
                return
            }
            var isFound = true
            if reads { isFound = try await isWhole(sha256, at: entry.key) }
            if isFound { named[sha256]?.isFound = true }
        }
        for (sha256, naming) in named.sorted(by: { $0.key < $1.key }) where !naming.isFound {
            let text = "run \(naming.run): the file \(sha256) is missing, or has another hash"
            report.findings.append(Finding(text: text, isRepaired: try await put(sha256, naming)))
        }
        try await checkHome(arrived, &report)
        try await checkInbox(&report)
        return report
    }

    /// Looks for runs in the inbox that the server of this home cannot read. With repairs they are tried as if they were new.
    private func checkInbox(_ report: inout Report) async throws {
        let ledger = InboxLedger(home)
        var waiting = 0
        try await objects.forEach(in: RunKey.inboxRuns) { object in
            guard let offer = InboxOffer(object.key) else { return }
            if let entry = ledger.entry(of: object, in: objects.place), entry.isToTell {
                let state = entry.isGivenUp ? "is not tried any more" : "is tried every hour"
                let text = "run \(offer.run) of '\(offer.name)' in the inbox cannot be taken in since \(entry.since)"
                let again = repairs ? "; it is tried again now" : ""
                report.findings.append(
                    Finding(text: "\(text), and \(state): \(entry.reason)\(again)", isRepaired: false))
                if repairs { ledger.forget(object.key) }
            } else if let put = object.modified, objects.now().timeIntervalSince(put) > InboxMemory.patience {
                waiting += 1
            }
        }
        if waiting > 0 { report.notes.append("in the inbox for more than an hour: \(Figures.counted(waiting, "run"))") }
    }

    /// Checks the arrivals and the manifests of a run, and notes what they name.
    ///
    /// - Returns: The manifests that have arrived.
    private func checkRun(
        _ place: RunPlace, _ named: inout [String: Naming], _ report: inout Report
    ) async throws -> Set<String> {
        let arrivals = try await objects.arrivals(of: place)
        for key in arrivals.unreadable {
            report.findings.append(Finding(text: "\(key) cannot be read", isRepaired: false))
        }
        guard let choice = RunChoice(arrivals.read, by: trust) else { return [] }
        if !choice.others.isEmpty {
            let others = choice.others.sorted().joined(separator: ", ")
            report.notes.append("run \(place.id): of several manifests \(choice.manifest) counts, and not \(others)")
        }
        let manifests = choice.others.union([choice.manifest])
        for manifest in manifests.sorted() {
            let text: String
            do {
                let files = try await files(of: manifest, place)
                for file in files ?? [:] where named[file.key] == nil {
                    named[file.key] = Naming(run: choice.run, project: choice.project, path: file.value)
                }
                if files != nil { continue }
                text = "run \(place.id): the manifest \(manifest) is missing, or has another hash"
            } catch EvidenceError.newerManifest {
                // It has the bytes that its name says: there is nothing to put.
                let fault = "run \(place.id): the manifest \(manifest) is of a later version than this one reads"
                report.findings.append(Finding(text: fault, isRepaired: false))
                continue
            } catch let error as EvidenceError where error.isBadInput {
                // Other bytes than its name says are as good as none.
                text = "run \(place.id): the manifest \(manifest) is missing, or has another hash"
            } catch let error as ObjectError where error.isOfOneObject {
                text = "run \(place.id): the manifest \(manifest) cannot be read: \(error)"
            }
            let isRepaired = try await putManifest(manifest, place, choice.project)
            report.findings.append(Finding(text: text, isRepaired: isRepaired))
        }
        return manifests
    }

    /// The paths of the files that a manifest names, by their hashes; `nil` where there is none.
    private func files(of manifest: String, _ place: RunPlace) async throws -> [String: String]? {
        guard try await fetchAnew(manifest, at: RunKey.manifest(manifest, of: place)),
            var run = try PartialRun(manifest: manifest, in: blobs)
        else { return nil }
        for shard in run.missingShards {
            // One that is not there is missing like any other file.
            _ = try await objects.fetch(shard, at: RunKey.blob(shard), into: blobs)
        }
        if !run.missingShards.isEmpty, let whole = try PartialRun(manifest: manifest, in: blobs) { run = whole }
        var paths: [String: String] = [:]
        for file in run.delivery.files where file.path != RunManifest.fileName { paths[file.sha256] = file.path }
        for file in run.missing { paths[file.sha256] = file.path }
        return paths
    }

    /// Copies a manifest to the blobs of this machine, also where they have it: it is asked whether it is there.
    private func fetchAnew(_ sha256: String, at key: ObjectKey) async throws -> Bool {
        let bytes: [UInt8]?
        do throws(ObjectError) {
            bytes = try await objects.store.bytes(
                of: key, limit: RunManifest.largest, until: ContinuousClock.now + RunObjects.patience)
        } catch {
            guard error.kind == .tooLarge else { throw error }
            return false
        }
        guard let bytes, Digest.sha256(bytes) == sha256 else { return false }
        guard blobs.size(of: sha256) == nil else { return true }
        let blob = try blobs.receive(sha256)
        try bytes.withUnsafeBytes { try blob.append($0) }
        try blob.finish()
        return true
    }

    /// Whether a file has the bytes that its name says.
    private func isWhole(_ sha256: String, at key: ObjectKey) async throws -> Bool {
        var digest = Digest()
        let size: Int?
        do throws(ObjectError) {
            size = try await objects.store.get(
                key, limit: .max, until: ContinuousClock.now + RunObjects.patience
            ) { digest.update($0) }
        } catch {
            guard error.isOfOneObject else { throw error }
            return false
        }
        return size != nil && digest.text == sha256
    }

    /// The run directory here, if it has a manifest.
    private func directory(_ project: String, _ run: RunID, with manifest: String? = nil) throws -> RunDirectory? {
        let kept = RunDirectory(path: home.runDirectory(project: project, id: run))
        guard repairs, kept.isThere else { return nil }
        return try manifest == nil || kept.manifestDigest() == manifest ? kept : nil
    }

    /// Puts a file of a run that is here; returns whether that could be done.
    private func put(_ sha256: String, _ naming: Naming) async throws -> Bool {
        if repairs, try await objects.putBack(RunKey.blob(sha256), limit: BlobStore.largest) { return true }
        guard let kept = try directory(naming.project, naming.run) else { return false }
        return try await put(sha256, kept, naming.path, at: RunKey.blob(sha256))
    }

    private func putManifest(_ sha256: String, _ place: RunPlace, _ project: String) async throws -> Bool {
        let key = try RunKey.manifest(sha256, of: place)
        if repairs, try await objects.putBack(key, limit: RunManifest.largest) { return true }
        guard let kept = try directory(project, place.id, with: sha256) else { return false }
        return try await put(sha256, kept, RunManifest.fileName, at: key)
    }

    private func put(_ sha256: String, _ kept: RunDirectory, _ path: String, at key: ObjectKey) async throws -> Bool {
        do {
            let content = ObjectContent(try kept.open(path), sha256: sha256)
            try await objects.store.put(content, at: key, until: ContinuousClock.now + RunObjects.patience)
            return true
        } catch let error as ObjectError where error.kind == .unreadable {
            return false
        } catch let error as EvidenceError where error.isBadInput {
            return false
        }
    }

    /// Looks for runs that were delivered here and have not arrived.
    private func checkHome(_ arrived: [RunPlace: Set<String>], _ report: inout Report) async throws {
        for directory in try RunArchive(home: home).directories() {
            guard let record = try directory.delivery(), let digest = try directory.manifestDigest() else { continue }
            let manifest: RunManifest
            do throws(EvidenceError) {
                manifest = try directory.manifest()
            } catch {
                guard error.isBadInput else { throw error }
                continue
            }
            let (id, project) = (manifest.id, manifest.project)
            if arrived[RunPlace(id, of: project)]?.contains(digest) == true { continue }
            var isRepaired = false
            if repairs {
                do {
                    let files = try directory.files()
                    let arrival = Arrival(id, of: project, manifest: digest, record)
                    try await objects.keep(arrival, of: directory, files, sentBy: nil)
                    isRepaired = true
                } catch let error as EvidenceError where error.isBadInput {
                    // It is damaged here.
                } catch let error as ObjectError where error.kind == .unreadable {
                    // The same.
                }
            }
            let text = "run \(id) was delivered here, and is not among the objects"
            report.findings.append(Finding(text: text, isRepaired: isRepaired))
        }
    }
}
