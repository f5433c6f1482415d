import Foundation
import RunModel

/// What is left of the raw profiles after a run, and what can be made of them.
struct ProfileInventory: Sendable, Hashable {
    /// Absolute paths of those that hold something.
    var usable: [String]
    /// The size of every one, empty ones too.
    var sizes: [Int]

    /// Looks into the folder of the raw profiles. A test that took the folder away has left no profile.
    init(directory: String) throws(RunnerError) {
        usable = []
        sizes = []
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue
        else { return }
        let names = try onFileSystem("list", directory) {
            try FileManager.default.contentsOfDirectory(atPath: directory)
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

/// What `llvm-profdata` and `llvm-cov` say about damage.
enum CoverageComplaints {
    /// A gap for every profile that was left out: `warning: <path>: <reason>`.
    static func gaps(in output: String) -> [Gap] {
        output.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("warning: "), line.contains(".profraw: ") else { return nil }
            let parts = line.dropFirst("warning: ".count).split(separator: ": ", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return Gap(
                .profileDamaged, subject: (String(parts[0]) as NSString).lastPathComponent, detail: String(parts[1])
            )
        }
    }

    /// The first line that says something, for a detail.
    static func summary(_ output: String, _ termination: Termination) -> String {
        output.split(separator: "\n").first.map(String.init) ?? "\(termination)"
    }
}
