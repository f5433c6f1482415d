import Evidence
import Foundation
import RunModel
import TestSupport

/// A folder of its own for one test, gone with it; outside of the checkout, so that no repository is around it.
final class TestFolder: Sendable {
    private let folder: TemporaryFolder

    /// Warm build products and the observer, kept from one run of the tests to the next.
    static let sharedCache = shared("cache")

    /// Copies of the sample packages.
    static let packages = shared("packages")

    /// Recorded run directories.
    static let runs = Checkout.top.appending(path: "Tests/KanmonTests/Runs").path(percentEncoded: false)

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    }

    /// The folder, links resolved.
    var path: String { folder.path }
    /// The store's home; it does not exist at first.
    var home: String { "\(path)/home" }
    /// The working directory, empty at first.
    var work: String { "\(path)/work" }
    /// A copy of the folder of a case.
    var copy: String { "\(path)/case" }

    /// Writes a file, with the folders above it.
    func write(_ text: String, to name: String) throws {
        try folder.write(text, to: name)
    }

    /// A copy of a recorded run that a server takes in, because its id was made of a seed and its project, and that speaks for a branch.
    func seededRun(_ name: String, seed: String = "a seed") throws -> String {
        let copy = "\(path)/seeded/\(name) \(seed)"
        try FileManager.default.createDirectory(atPath: "\(path)/seeded", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(Self.runs)/\(name)", toPath: copy)
        let manifest = try RunDirectory(path: copy).manifest()
        let id = RunID(
            of: manifest.project, seed: seed,
            at: Date(timeIntervalSince1970: Double(manifest.id.milliseconds) / 1000))
        let text = try String(contentsOfFile: "\(copy)/manifest.json", encoding: .utf8)
        let revision =
            #"{"commit": "\#(String(repeating: "c", count: 40))", "tree": "\#(String(repeating: "7", count: 40))", "#
            + #""folder": "", "branch": "main", "isDirty": false}"#
        let inputs =
            #"{"evidenceVersion": \#(RunInputs.currentEvidenceVersion), "platform": "p", "checkout": "", "#
            + #""environment": "", "places": "", "settings": ""}"#
        try text.replacing(
            "\"\(manifest.id)\"",
            with: "\"\(id)\", \"seed\": \"\(seed)\", \"revision\": \(revision), \"inputs\": \(inputs)"
        )
        .write(toFile: "\(copy)/manifest.json", atomically: true, encoding: .utf8)
        return copy
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
