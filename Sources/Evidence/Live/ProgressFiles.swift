public import Foundation
public import RunModel

/// The folder with the progress of runs: one small file for each run in progress.
public struct ProgressFiles: Sendable {
    /// The largest of them, in bytes.
    private static let largest = 1 << 20
    /// How many runs are listed at most.
    public static let most = 1000
    /// The longest time for judging a run, in seconds; after that it counts as ended.
    private static let judgingTime = 60.0
    /// How long the file of a killed run is kept, in seconds.
    private static let keptTime = 86_400.0

    /// The path of the folder; it need not exist.
    public let path: String
    private let now: @Sendable () -> Date

    /// Names a folder; nothing is read yet.
    public init(path: String, now: @escaping @Sendable () -> Date) { (self.path, self.now) = (path, now) }

    /// The runs under way, the newest first. What cannot be read is nothing that could be shown.
    ///
    /// - Parameters:
    ///   - most: How many at most, of those that are wanted: no others take their place.
    ///   - isWanted: Which of them; all by default.
    public func running(
        most: Int = ProgressFiles.most, where isWanted: (LiveRun) -> Bool = { _ in true }
    ) -> [LiveEntry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let ids = names.compactMap { name in name.hasSuffix(".json") ? RunID(String(name.dropLast(5))) : nil }
        var found: [LiveEntry] = []
        for id in ids.sorted(by: >) where found.count < most {
            if let entry = find(id), entry.status == .running, isWanted(entry.run) { found.append(entry) }
        }
        return found
    }

    /// A moment at which a run began or ended.
    public struct Change: Sendable, Hashable {
        let seconds: Int
        let nanoseconds: Int
    }

    /// When a run last began or ended here; `nil` if none ever did.
    public var lastChange: Change? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Change(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    /// What the progress file of a run says; `nil` when there is none.
    public func find(_ id: RunID) -> LiveEntry? {
        let path = file(of: id)
        guard let bytes = try? FileBytes.read(path, limit: Self.largest),
            let run = LiveRun(encoded: Data(bytes)), run.runID == id
        else { return nil }
        if Self.isHeld(run.folder) { return LiveEntry(run, .running) }
        let isJudged = !FileManager.default.fileExists(atPath: run.folder) && age(of: path) < Self.judgingTime
        return LiveEntry(run, isJudged ? .judging : .gone)
    }

    /// Removes the file of a run that is stored or will not be.
    public func remove(_ id: RunID) { unlink(file(of: id)) }

    func file(of id: RunID) -> String { "\(path)/\(id).json" }

    /// Removes the files of runs that were killed more than a day ago.
    func removeStale() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let file = "\(path)/\(name)"
            guard age(of: file) > Self.keptTime else { continue }
            guard let id = RunID(String(name.dropLast(5))), find(id)?.status == .running else {
                unlink(file)
                continue
            }
        }
    }

    /// Whether a run in progress has locked a folder. This takes a shared lock for a moment, so that concurrent
    /// checks do not see each other.
    public static func isHeld(_ folder: String) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
            flock(descriptor, LOCK_UN)
            return false
        }
        return errno == EWOULDBLOCK
    }

    /// The seconds since a file was written.
    private func age(of file: String) -> Double {
        var status = stat()
        guard lstat(file, &status) == 0 else { return .infinity }
        return now().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
    }
}
