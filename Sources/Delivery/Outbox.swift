import Evidence
public import Foundation
public import RunModel

/// The runs that a machine still has to deliver: a folder with one small file for each, named after the run.
///
/// The file is on the disk before the run is sent, and is removed when the server has confirmed it.
public struct Outbox: Sendable {
    let folder: String

    /// The outbox in a folder, which is made when a run is added.
    public init(folder: String) { self.folder = folder }

    /// What a file of the folder says.
    struct Content: Codable {
        /// The path of the run directory.
        var runDirectory: String
        /// Why a server refused the run; `nil` if it has not.
        var refusal: String?

        /// The file: a text and perhaps another can always be written.
        var bytes: [UInt8] { Array((try? JSONEncoder().encode(self)) ?? Data()) }
    }

    /// A run that waits.
    public struct Entry: Sendable, Hashable {
        /// The run.
        public let id: RunID
        /// The path of its run directory.
        public let runDirectory: String
        /// Why a server refused it; `nil` if it has not.
        public let refusal: String?
    }

    /// Records that a run has to be delivered, and waits until that is on the disk. A run that waits already goes on waiting.
    ///
    /// - Returns: Whether it did not wait before.
    /// - Throws: `OutboxError` if it cannot be recorded.
    @discardableResult
    public func add(_ id: RunID, at runDirectory: String) throws(OutboxError) -> Bool {
        if mkdir(folder, 0o700) == 0 {
            FileOwner.follow(folderOf: folder)
        } else if errno != EEXIST {
            throw OutboxError("make \(folder): \(String(cString: strerror(errno)))")
        }
        do throws(EvidenceError) {
            return try SmallFile.create(path(of: id), with: Content(runDirectory: runDirectory).bytes)
        } catch {
            throw OutboxError("\(error)")
        }
    }

    /// Forgets a run.
    public func remove(_ id: RunID) { unlink(path(of: id)) }

    /// Whether a run waits.
    public func contains(_ id: RunID) -> Bool { access(path(of: id), F_OK) == 0 }

    /// Removes what commands that were killed while they recorded a run have left here.
    public func removeUnfinished(now: Date) { SmallFile.removeUnfinished(in: folder, now: now) }

    /// Whether a run waits that no server has refused.
    public var isWaiting: Bool { entries.contains { $0.refusal == nil } }

    /// How many runs wait, also those that a server has refused, apart from one.
    func count(without id: RunID?) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap(RunID.init).count { $0 != id }
    }

    /// The runs that wait, the oldest first.
    public var entries: [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap(RunID.init).sorted().compactMap { id in
            content(of: id).map { Entry(id: id, runDirectory: $0.runDirectory, refusal: $0.refusal) }
        }
    }

    /// Takes a run for this process alone; `nil` if another process has it, or it does not wait any more.
    func claim(_ id: RunID) -> Claim? {
        let path = path(of: id)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var (mine, named) = (stat(), stat())
        // Another process may have delivered it between the two calls.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &mine) == 0, lstat(path, &named) == 0,
            mine.st_ino == named.st_ino
        else {
            close(descriptor)
            return nil
        }
        return Claim(outbox: self, id: id, descriptor: descriptor)
    }

    /// A run that only this process delivers, until the value is gone or the process ends in any way.
    final class Claim: Sendable {
        private let outbox: Outbox
        private let id: RunID
        private let descriptor: Int32

        fileprivate init(outbox: Outbox, id: RunID, descriptor: Int32) {
            (self.outbox, self.id, self.descriptor) = (outbox, id, descriptor)
        }

        deinit {
            // Closing is not enough: a child that is just being started has the descriptor until it runs its program.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }

        /// Records that the run needs no delivery any more.
        func remove() { outbox.remove(id) }

        /// Records why the server refuses the run, so that no command offers it again unasked.
        func refuse(_ reason: String) {
            guard var content = outbox.content(of: id) else { return }
            content.refusal = reason
            // If that fails, the run is only offered once more.
            try? SmallFile.replace(outbox.path(of: id), with: content.bytes)
        }
    }

    private func path(of id: RunID) -> String { "\(folder)/\(id)" }

    private func content(of id: RunID) -> Content? {
        let path = path(of: id)
        // Opening a pipe would block.
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type == .typeRegular, let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode(Content.self, from: bytes)
    }
}

/// Why a run could not be recorded in the outbox.
public struct OutboxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the system refused, as a fragment in lower case.
    public let description: String

    init(_ description: String) { self.description = description }
}
