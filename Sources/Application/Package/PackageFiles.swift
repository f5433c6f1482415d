import Foundation
import Gate
import Repository
import RunModel
import SettingsFile

/// The files of the judged package, in a folder or only in git.
struct PackageFiles: Sendable {
    private enum Place: Sendable {
        case folder(String)
        case tree(ObjectID)
    }

    private let repository: GitRepository
    private let subpath: PackageSubpath
    private let place: Place

    /// The files that a head stands for.
    init(_ head: BaselineFinder.Head, repository: GitRepository, subpath: PackageSubpath) {
        self.repository = repository
        self.subpath = subpath
        place =
            switch head {
            case .workingCopy(let folder, _, _): .folder(folder)
            case .staged(let tree), .commit(_, let tree): .tree(tree)
            case .pushed(let pushed): .tree(pushed.tree)
            }
    }

    /// The settings file of the package, without environment and flags; `nil` without a file.
    func settings(_ process: ProcessContext) async throws -> Settings? {
        let loader = SettingsLoader(process: process)
        switch place {
        case .folder(let folder): return try loader.loadFileAlone(packageRoot: folder)
        case .tree(let tree):
            let bytes = try await loader.bytes(at: subpath.path(SettingsLoader.fileName), in: tree, of: repository)
            return try bytes.map { try loader.read($0) }
        }
    }

    /// Whether there is a file of this name, relative to the top of the repository.
    func has(_ name: String) async throws -> Bool {
        switch place {
        case .folder(let folder):
            return FileManager.default.fileExists(atPath: "\(subpath.top(of: folder))/\(name)")
        case .tree(let tree): return try await repository.hasFile(at: name, in: tree)
        }
    }

    /// The `CODEOWNERS` files at every place where a forge looks.
    func codeOwners() async throws -> [CodeOwnersFile.Candidate] {
        switch place {
        case .folder(let folder): return CodeOwnersFile.candidates(below: subpath.top(of: folder))
        case .tree(let tree): return try await repository.codeOwners(in: tree)
        }
    }

    /// The matching files in the folder of the package, not below it.
    func contents(of isWanted: (String) -> Bool) async throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        switch place {
        case .folder(let folder):
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where isWanted(name) {
                contents[name] = Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
            }
        case .tree(let tree):
            for name in try await repository.names(in: tree, of: subpath.folder).compactMap(\.text)
            where isWanted(name) {
                contents[name] = try await repository.file(at: subpath.path(name), in: tree)
            }
        }
        return contents
    }
}
