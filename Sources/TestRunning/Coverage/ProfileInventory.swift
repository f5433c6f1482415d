import Foundation

/// What is left of the raw profiles after a run, and what can be made of them.
struct ProfileInventory: Sendable, Hashable {
    /// Absolute paths of those that hold something.
    var usable: [String]
    /// The size of every one, empty ones too.
    var sizes: [Int]
    /// How many files the preloaded library did not finish, in which it was to keep counters.
    var unfinished = 0

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
        unfinished = names.count {
            ($0 as NSString).lastPathComponent.hasPrefix("live-") && !$0.hasSuffix(".profraw")
        }
        for name in names.filter({ $0.hasSuffix(".profraw") }).sorted() {
            let path = "\(directory)/\(name)"
            var info = stat()
            try systemCall("look at", path) { stat(path, &info) }
            sizes.append(Int(info.st_size))
            if info.st_size > 0 { usable.append(path) }
        }
    }
}
