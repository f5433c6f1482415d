import Foundation
import TestSupport

/// A folder of its own for one test, gone with it; outside of the checkout, so that no repository is around it.
final class TestFolder: Sendable {
    /// The folder, links resolved.
    let path: String

    /// Warm build products and the observer, kept from one run of the tests to the next.
    static let sharedCache = shared("cache")

    /// Copies of the sample packages.
    static let packages = shared("packages")

    /// Recorded run directories.
    static let runs = Checkout.top.appending(path: "Tests/KanmonTests/Runs").path(percentEncoded: false)

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kanmon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.resolvingSymlinksInPath().path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The store's home; it does not exist at first.
    var home: String { "\(path)/home" }
    /// The working directory, empty at first.
    var work: String { "\(path)/work" }
    /// A copy of the folder of a case.
    var copy: String { "\(path)/case" }

    /// Writes a file, with the folders above it.
    func write(_ text: String, to name: String) throws {
        let file = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// A sample package outside of the checkout, at the same place each time so that its build stays warm.
    static func package(_ name: String) throws -> String {
        let source = Checkout.top.appending(path: "Tests/Packages/\(name)").path(percentEncoded: false)
        let target = "\(packages)/\(name)"
        let files = FileManager.default
        if files.contentsEqual(atPath: source, andPath: target) { return target }
        if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
        try files.createDirectory(atPath: packages, withIntermediateDirectories: true)
        try files.copyItem(atPath: source, toPath: target)
        return target
    }

    private static func shared(_ name: String) -> String {
        FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "kanmon-tests-\(getuid())/\(name)").path(percentEncoded: false)
    }
}
