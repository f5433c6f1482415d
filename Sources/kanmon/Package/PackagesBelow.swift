import Exports
import Foundation
import RunModel

/// The packages in the folders below one that is none, for a person who has to name one.
enum PackagesBelow {
    /// So many are named.
    private static let most = 10
    /// So many folders are looked into, and so deep.
    private static let (mostFolders, deepest) = (5000, 5)

    /// Their paths below the folder, ordered; hidden folders and those of packages are not looked into.
    static func find(in root: String) -> [String] {
        var found: [String] = []
        var (folders, looked) = ([""], 0)
        while let folder = folders.popLast(), looked < mostFolders {
            looked += 1
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
            if !folder.isEmpty, names.contains("Package.swift") {
                found.append(folder)
            } else if folder.split(separator: "/").count < deepest {
                for name in names where !name.hasPrefix(".") {
                    let path = folder.isEmpty ? name : "\(folder)/\(name)"
                    let type = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")[.type]
                    if type as? FileAttributeType == .typeDirectory { folders.append(path) }
                }
            }
        }
        return found.sorted { Name($0) < Name($1) }
    }

    /// What to do where a folder has no package.
    static func hint(for root: String) -> String {
        let found = find(in: root)
        guard !found.isEmpty else { return "name the package's folder with --package-path" }
        let more = found.count > most ? " and \(found.count - most) more" : ""
        let names = found.prefix(most).map { TerminalText.safe($0) }.joined(separator: ", ")
        return "name one of the packages below it with --package-path: \(names)\(more)"
    }
}
