public import Foundation
import RunModel

/// The build products of one package folder.
public struct BuildFolder: Sendable, Hashable {
    /// Where they are.
    public var path: String
    /// The folder of the package; `nil` if no run has written it down.
    public var package: String?
    /// How much disk space its files take, in bytes.
    public var bytes: Int64
    /// When a run used it last.
    public var used: Date
}

/// The folders of build products in a cache, one for each package folder that was ever tested.
public struct BuildFolders: Sendable {
    /// Where they are.
    public let path: String
    /// More folders than this wait for the next run, so that none takes long to end.
    private static let mostAtOnce = 4

    /// - Parameter cacheHome: Such as `~/.cache`; see `TestRunner.scratchPath`.
    public init(cacheHome: String) { path = "\(cacheHome)/kanmon/build" }

    /// All of them, the one that was used last first. Each is measured.
    public var all: [BuildFolder] {
        locks.compactMap { lock in
            let folder = folder(of: lock)
            guard FileManager.default.fileExists(atPath: folder), let stamp = FileStamp("\(path)/\(lock)") else {
                return nil
            }
            return BuildFolder(
                path: folder, package: ScratchLock.package(in: "\(path)/\(lock)"), bytes: Self.size(of: folder),
                used: Date(timeIntervalSince1970: Double(stamp.modified) / 1_000_000_000))
        }
        .sorted { ($1.used, Name($0.path)) < ($0.used, Name($1.path)) }
    }

    /// The folders to remove so that none is older and all together take no more space: first those that were not used
    /// for longest.
    public static func surplus(
        of folders: [BuildFolder], unusedSince time: Date, mostBytes: Int64
    ) -> [BuildFolder] {
        var kept = folders.reduce(0) { $0 + $1.bytes }
        return folders.sorted { ($0.used, Name($0.path)) < ($1.used, Name($1.path)) }.filter { folder in
            guard folder.used < time || kept > mostBytes else { return false }
            kept -= folder.bytes
            return true
        }
    }

    /// Removes one, unless a run uses it; returns whether it is gone.
    @discardableResult
    public func remove(_ folder: BuildFolder) -> Bool {
        remove((folder.path as NSString).lastPathComponent + Self.suffix, unusedSince: nil)
    }

    /// Removes folders that no run has used for some time, and once a day also the oldest if all together take too much
    /// space, as measuring them takes a while. One that is in use stays. Errors are ignored: it only frees space.
    ///
    /// - Parameters:
    ///   - time: When one that stays was used last at least.
    ///   - now: What time it is.
    /// - Returns: How many were removed.
    @discardableResult
    public func prune(unusedSince time: Date, mostBytes: Int64, now: Date) -> Int {
        let mark = "\(path)/measured"
        guard FileStamp(mark) == nil || isOld(mark, now.addingTimeInterval(-86_400)) else {
            var removed = 0
            for lock in locks where removed < Self.mostAtOnce && remove(lock, unusedSince: time) { removed += 1 }
            return removed
        }
        let surplus = Self.surplus(of: all, unusedSince: time, mostBytes: mostBytes)
        let removed = surplus.prefix(Self.mostAtOnce).count { remove($0) }
        if surplus.count <= Self.mostAtOnce, FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: mark, contents: nil, attributes: [.modificationDate: now])
        }
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

    private var locks: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(Self.suffix) }
            .sorted { Name($0) < Name($1) }
    }

    private func folder(of lock: String) -> String { "\(path)/\(lock.dropLast(Self.suffix.count))" }

    /// How much disk space the files below a folder take, in bytes; links are not followed.
    private static func size(of folder: String) -> Int64 {
        (FolderListing(folder, stamped: true)?.files ?? []).reduce(0) {
            $0 + ($1.target == nil ? $1.stamp?.size ?? 0 : 0)
        }
    }

    /// Each run writes its name into the lock of its folder. The lock stays: another run may be waiting for it.
    private func remove(_ lock: String, unusedSince time: Date?) -> Bool {
        let folder = folder(of: lock)
        func isOld() -> Bool { time.map { self.isOld("\(path)/\(lock)", $0) } ?? true }
        guard FileManager.default.fileExists(atPath: folder), isOld() else { return false }
        let descriptor = open("\(path)/\(lock)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isOld() else { return false }
        return (try? FileManager.default.removeItem(atPath: folder)) != nil
    }

    private func isOld(_ file: String, _ time: Date) -> Bool {
        guard let stamp = FileStamp(file) else { return false }
        return stamp.modified < Int64(time.timeIntervalSince1970 * 1_000_000_000)
    }
}
