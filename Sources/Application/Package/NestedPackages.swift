import Exports
import Foundation
import Gate
import RunModel

/// The packages in the folders below one: the outermost ones. Hidden folders and those of packages are not looked into, and links are not
/// followed.
package enum NestedPackages {
    /// How many are listed in a message.
    private static let mostNamed = 10
    /// How many folders are searched, and how deep, for a message that lists the packages to choose from.
    private static let glance = (folders: 5_000, depth: 5)
    /// The same where every package is meant.
    private static let search = (folders: 200_000, depth: 64)

    /// The paths of all packages below a folder, ordered; an empty path is the folder itself.
    ///
    /// - Throws: `Problem` if there is none, or if one may be where nobody can look.
    package static func all(in root: String) throws -> [String] {
        if FileManager.default.fileExists(atPath: "\(root)/Package.swift") { return [""] }
        guard FileManager.default.fileExists(atPath: root) else { throw Problem(.usage, "there is no folder \(root)") }
        let (found, unseen) = look(into: root, search)
        if let unseen {
            throw Problem(
                .ioError, "cannot tell which packages are below \(root): \(unseen)",
                hint: "name each of them with --package-path")
        }
        guard !found.isEmpty else {
            throw Problem(
                .usage, "there is no Package.swift in \(root), nor below it",
                hint: "name a folder with packages with --package-path")
        }
        return found
    }

    /// Those that a glance finds, ordered.
    static func find(in root: String) -> [String] { look(into: root, glance).found }

    /// What to do where a folder has no package.
    static func hint(for root: String) -> String {
        let found = find(in: root)
        guard !found.isEmpty else { return "name the package's folder with --package-path" }
        let more = found.count > mostNamed ? " and \(found.count - mostNamed) more" : ""
        let names = found.prefix(mostNamed).map { TerminalText.safe($0) }.joined(separator: ", ")
        return "name one of the packages below it with --package-path: \(names)\(more)"
    }

    /// - Returns: The packages, and in words where others may be.
    private static func look(
        into root: String, _ most: (folders: Int, depth: Int)
    ) -> (found: [String], unseen: String?) {
        var (found, unseen): ([String], String?) = ([], nil)
        var (folders, looked) = ([""], 0)
        while let folder = folders.popLast() {
            looked += 1
            guard looked <= most.folders else {
                unseen = "there are more than \(most.folders) folders"
                break
            }
            let path = folder.isEmpty ? root : "\(root)/\(folder)"
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                unseen = "\(TerminalText.safe(path)) cannot be read"
                continue
            }
            if !folder.isEmpty, names.contains("Package.swift") {
                found.append(folder)
                continue
            }
            let below = names.filter { !$0.hasPrefix(".") }.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }.filter {
                let type =
                    try? FileManager.default.attributesOfItem(atPath: "\(root)/\($0)")[.type] as? FileAttributeType
                if type == nil { unseen = "\(TerminalText.safe("\(root)/\($0)")) cannot be read" }
                return type == .typeDirectory
            }
            if folder.split(separator: "/").count < most.depth {
                folders += below
            } else if !below.isEmpty {
                unseen = "\(TerminalText.safe(path)) is too deep"
            }
        }
        return (found.sorted { Name($0) < Name($1) }, unseen)
    }
}
