public import Foundation
import RunModel

/// The folders of build products in a cache, one for each package folder that was ever tested.
public struct BuildFolders: Sendable {
    private let path: String
    /// More folders than this wait for the next run, so that none takes long to end.
    private static let mostAtOnce = 4

    /// - Parameter cacheHome: Such as `~/.cache`; see `TestRunner.scratchPath`.
    public init(cacheHome: String) { path = "\(cacheHome)/kanmon/build" }

    /// Removes folders that no run has used for some time; one that is in use stays. Errors are ignored: it only frees space.
    ///
    /// - Parameter time: When it was used last at least.
    /// - Returns: How many were removed.
    @discardableResult
    public func prune(unusedSince time: Date) -> Int {
        let locks = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            $0.hasSuffix(Self.suffix)
        }
        var removed = 0
        for lock in locks.sorted() where removed < Self.mostAtOnce && remove(lock, unusedSince: time) { removed += 1 }
        return removed
    }

    /// What the last clean build of each package found wrong with the incremental one, ordered by the packages' folders.
    public var stale: [StaleBuild] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return folders.compactMap { StaleBuild.read(in: "\(path)/\($0)") }.sorted {
            Name($0.packageRoot) < Name($1.packageRoot)
        }
    }

    private static let suffix = ".lock"

    /// Each run writes its name into the lock of its folder. The lock stays: another run may be waiting for it.
    private func remove(_ lock: String, unusedSince time: Date) -> Bool {
        let folder = "\(path)/\(lock.dropLast(Self.suffix.count))"
        guard FileManager.default.fileExists(atPath: folder), isOld("\(path)/\(lock)", time) else { return false }
        let descriptor = open("\(path)/\(lock)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isOld("\(path)/\(lock)", time) else { return false }
        return (try? FileManager.default.removeItem(atPath: folder)) != nil
    }

    private func isOld(_ file: String, _ time: Date) -> Bool {
        guard let stamp = FileStamp(file) else { return false }
        return stamp.modified < Int64(time.timeIntervalSince1970 * 1_000_000_000)
    }
}
