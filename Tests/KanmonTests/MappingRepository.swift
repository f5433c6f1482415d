import Foundation
import TestSupport

/// A repository with the package `Mapping`, and Kanmon's program with a home of its own.
struct MappingRepository {
    /// The package's library, as the program names it.
    static let source = "Sources/Mapping/Mapping.swift"

    let folder: TestFolder
    private let program: Program

    /// - Parameter files: What the package has besides its own files: texts by path.
    init(adding files: [String: String] = [:]) async throws {
        folder = try TestFolder()
        let package = Checkout.top.appending(path: "Tests/Packages/Mapping")
        try FileManager.default.removeItem(atPath: folder.work)
        try FileManager.default.copyItem(atPath: package.path(percentEncoded: false), toPath: folder.work)
        try folder.write("coverage:\n  modules:\n    default: {line: 0}\n", to: "work/.kanmon.yml")
        for (path, text) in files { try folder.write(text, to: "work/\(path)") }
        program = Program(
            folder: folder,
            variables: ["KANMON_HOME": folder.home, "XDG_CACHE_HOME": TestFolder.sharedCache])
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try await commit("mapping")
    }

    func kanmon(_ words: [String]) async throws -> Program.Outcome { try await program.run(words) }

    func stage() async throws { try await folder.git("add", "--all") }

    func commit(_ message: String) async throws {
        try await stage()
        try await folder.git("commit", "--quiet", "--message", message)
    }

    /// The text of the library.
    var text: String {
        get throws { try String(contentsOfFile: "\(folder.work)/\(Self.source)", encoding: .utf8) }
    }

    func write(_ text: String) throws { try folder.write(text, to: "work/\(Self.source)") }
}
