import Evidence
import Foundation
import RunModel

/// Sources with tests below `Tests` that belong to no target: nobody compiles them, and nothing else tells.
enum StrayTests {
    /// How many are named.
    private static let mostNamed = 3
    /// What SwiftPM runs instead of the tests that it would discover; it is part of no target.
    private static let mains = ["LinuxMain.swift", "XCTMain.swift"]
    /// What a source that has tests imports, by itself or some of its declarations: `import class XCTest.XCTestCase`.
    private static let libraries = ["XCTest", "Testing"]
    /// What may stand behind `import`.
    private static let kinds = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
    /// How much of a source is read, in bytes: imports stand at the beginning.
    private static let mostRead = 64 << 10

    /// The note on those of a package; `nil` if there are none.
    static func note(in packageRoot: String, without modules: [Module]) -> Note? {
        let found = files(in: packageRoot, without: modules)
        guard !found.isEmpty else { return nil }
        let more = found.count > mostNamed ? ", and \(found.count - mostNamed) more" : ""
        return Note(.testsWithoutTarget, detail: found.prefix(mostNamed).joined(separator: ", ") + more)
    }

    /// Their paths in the package, in order.
    private static func files(in packageRoot: String, without modules: [Module]) -> [String] {
        let folder = "\(packageRoot)/Tests"
        guard let listing = FolderListing(folder, stamped: true, skipping: FolderListing.isNoSource) else { return [] }
        let known = Set(modules.flatMap(\.sourcePaths).map { Name($0) })
        return listing.files.compactMap { file in
            guard file.path.suffix(6).elementsEqual(".swift".utf8), file.target == nil,
                // A pipe has none, and who reads it may wait for ever.
                file.stamp != nil,
                let name = String(validating: file.path, as: UTF8.self), !known.contains(Name("Tests/\(name)")),
                !mains.contains(name), hasTests("\(folder)/\(name)")
            else { return nil }
            return "Tests/\(name)"
        }
    }

    private static func hasTests(_ path: String) -> Bool {
        // What cannot be read may have some.
        guard let file = FileHandle(forReadingAtPath: path) else { return true }
        defer { try? file.close() }
        // At the end of a file, as at once in an empty one, there is nothing to be read.
        guard let bytes = try? file.read(upToCount: mostRead) ?? Data() else { return true }
        let words = bytes.split { !ImportConditions.isName($0) }
        return words.indices.contains { index in
            guard words[index].elementsEqual("import".utf8) else { return false }
            let rest = words[(index + 1)...].drop { word in kinds.contains { word.elementsEqual($0.utf8) } }
            return libraries.contains { library in rest.first?.elementsEqual(library.utf8) == true }
        }
    }
}
