import Foundation
import RunModel

/// What is left of the raw profiles after a run, and what can be made of them.
struct ProfileInventory: Sendable, Hashable {
    /// Absolute paths of those that hold something.
    var usable: [String]
    /// The size of every one, empty ones too.
    var sizes: [Int]
    /// How many files the preloaded library did not finish, in which it was to keep counters.
    var unfinished = 0
    /// Whether the preloaded library did not know how this toolchain writes profiles, and kept no counters.
    var hasUnknownFormat = false

    /// The file by which the preloaded library tells that.
    private static let unknownFormat = "live-unknown-format"

    /// Looks into the folder of the raw profiles and those in it. A test that took the folder away has left no profile.
    init(directory: String) throws(RunnerError) {
        usable = []
        sizes = []
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue
        else { return }
        let names = try onFileSystem("list", directory) {
            try FileManager.default.subpathsOfDirectory(atPath: directory)
        }
        let live = names.map { ($0 as NSString).lastPathComponent }.filter { $0.hasPrefix("live-") }
        hasUnknownFormat = live.contains(Self.unknownFormat)
        unfinished = live.count { !$0.hasSuffix(".profraw") && $0 != Self.unknownFormat }
        for name in names.filter({ $0.hasSuffix(".profraw") }).sorted() {
            let path = "\(directory)/\(name)"
            var info = stat()
            try systemCall("look at", path) { stat(path, &info) }
            sizes.append(Int(info.st_size))
            if info.st_size > 0 { usable.append(path) }
        }
    }
}

extension ProfileInventory {
    /// What is said of counters that would not have outlived a crash.
    var unkept: [Note] {
        var details: [String] = []
        if hasUnknownFormat { details.append("the toolchain writes profiles in a format that is not known") }
        if unfinished > 0 {
            details.append("no file could be made for \(unfinished == 1 ? "1 image" : "\(unfinished) images")")
        }
        return details.map { Note(.countersNotKept, detail: $0) }
    }
}
