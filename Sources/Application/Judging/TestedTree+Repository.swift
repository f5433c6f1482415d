import Foundation
import Gate
import Repository
package import RunModel
import SettingsFile
import Synchronization
package import TestRunning

/// The folder in which a package is tested, and the tree that is to lie there.
struct TreePlace: Sendable {
    let repository: GitRepository
    let tree: ObjectID
    /// The top of the work tree, links resolved.
    let top: String
    /// The package's folder, links resolved.
    let packageRoot: String
    /// Whether the tree was checked out for this run alone.
    let isLaidOut: Bool
    /// Folders that nothing is built from, absolute: Kanmon's own, and where reports go.
    let excluded: [String]
    /// What scripts make, as patterns of paths in the package.
    let generated: [Glob]
    /// The versions of dependencies, where the tree has none.
    let resolved: ResolvedFile
    private let memory = TreeComparison.Memory()
    private let before = FilesBefore()

    /// What scripts are to make and what lies there before they run.
    private final class FilesBefore: Sendable {
        let stamps = Mutex<[Name: FileStamp?]>([:])
    }

    /// What differs from the tree in the whole folder; nothing is built yet, and no script has run.
    func differences() async -> [String] {
        await differences { path in
            guard isGenerated(path) else { return true }
            _ = before.stamps.withLock { $0.updateValue(FileStamp(path), forKey: Name(path)) }
            return false
        }
    }

    /// Whether a file that scripts are to make was there before them, and they have left it: another clone has another one, or none.
    private func isLeftFromBefore(_ path: String) -> Bool {
        guard let stamp = before.stamps.withLock({ $0[Name(path)] }) else { return false }
        return stamp == FileStamp(path)
    }

    /// The questions that a run asks.
    var tested: TestedTree {
        TestedTree(
            isLaidOut: isLaidOut,
            differences: { folders, isBuilt in
                await differences(isBuilt: isBuilt) {
                    isRead($0, folders) && (!isGenerated($0) || isLeftFromBefore($0))
                }
            },
            strangers: { folders in folders.compactMap(stranger) })
    }

    /// - Parameters:
    ///   - isBuilt: Whether SwiftPM has built it.
    ///   - isRead: Whether a file that the tree does not have makes a difference, by its absolute path.
    private func differences(isBuilt: Bool = false, of isRead: (String) -> Bool) async -> [String] {
        let comparison = TreeComparison(
            of: top, with: tree, in: repository, without: excluded, testing: packageRoot, remembering: memory)
        do {
            return try await comparison.differences { name in
                // A name that is no text fits no pattern.
                guard let text = name.text else { return true }
                return isRead("\(top)/\(text)") && !isLeftOpen("\(top)/\(text)")
            }.filter { !isBuilt || !isWrittenBySwiftPM($0) }.map(\.description)
        } catch {
            return ["the files cannot be compared with the tree: \(error)"]
        }
    }

    /// Whether a difference is that SwiftPM wrote the versions of the commit in another form, or others where the manifest
    /// allows none of them: in every clone it does the same. What it chose is known by itself, and what scripts wrote was
    /// found before the build.
    private func isWrittenBySwiftPM(_ difference: TreeDifference) -> Bool {
        guard isLaidOut, difference.kind == .changed, let name = difference.name.text else { return false }
        return Name("\(top)/\(name)") == Name("\(packageRoot)/\(ResolvedFile.fileName)")
    }

    private func isGenerated(_ path: String) -> Bool {
        guard !generated.isEmpty, path.utf8.starts(with: "\(packageRoot)/".utf8) else { return false }
        let name = String(Substring(path.utf8.dropFirst(packageRoot.utf8.count + 1)))
        // What says which files are made is made by nobody.
        if name == SettingsLoader.fileName || PackageManifest.isName(name) { return false }
        return generated.contains { $0.matches(name) }
    }

    /// Whether a file holds versions that the tree leaves to SwiftPM. In a tree that Kanmon checked out, nobody else
    /// writes one.
    private func isLeftOpen(_ path: String) -> Bool {
        let name = "/\(ResolvedFile.fileName)"
        guard path.utf8.suffix(name.utf8.count).elementsEqual(name.utf8) else { return false }
        let folder = String(decoding: path.utf8.dropLast(name.utf8.count), as: UTF8.self)
        if Name(folder) == Name(packageRoot) { return isLaidOut || resolved.isOfSwiftPM }
        // That of another package in the repository is not read for this one.
        return FileManager.default.fileExists(atPath: "\(folder)/Package.swift")
    }

    /// Whether SwiftPM reads a file when it builds these folders: all that lies in them, and beside a manifest what stands for
    /// it or tells where packages come from.
    private func isRead(_ path: String, _ folders: [String]) -> Bool {
        let parts = path.split(separator: "/")
        if parts.last?.hasPrefix("Package@swift") == true || parts.contains(".swiftpm") { return true }
        return folders.contains { path.utf8.starts(with: "\($0)/".utf8) }
    }

    /// What is wrong with a folder that the build reads; `nil` when it lies in the tree.
    private func stranger(_ folder: String) -> String? {
        let real = URL(filePath: folder).resolvingSymlinksInPath().path
        let isInside = real == top || real.utf8.starts(with: "\(top)/".utf8)
        let below = isInside ? real.utf8.dropFirst(top.utf8.count).split(separator: UInt8(ascii: "/")) : []
        let isOwn = excluded.contains { real == $0 || real.utf8.starts(with: "\($0)/".utf8) }
        let isLeftOut = below.contains { $0.elementsEqual(".git".utf8) || $0.elementsEqual(".build".utf8) }
        guard isInside, !isOwn, !isLeftOut else { return "\(folder) is not part of the tree" }
        return whatManifestsAskOfGit(in: folder)
    }

    /// What the manifest of a package takes of git that is no part of a tree: of tags, of files that are not committed, or one of git's
    /// variables, which SwiftPM gets with the credentials that it needs. `nil` if nothing.
    private func whatManifestsAskOfGit(in folder: String) -> String? {
        let information = "asks for gitInformation, which is not part of the tree"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            // What is there and cannot be read may ask for anything.
            return FileManager.default.fileExists(atPath: folder) ? "\(folder) \(information)" : nil
        }
        for name in names.filter(PackageManifest.isName).sorted(by: { Name($0) < Name($1) }) {
            let path = "\(folder)/\(name)"
            guard let text = FileManager.default.contents(atPath: path) else { return "\(path) \(information)" }
            func has(_ words: String) -> Bool { text.firstRange(of: Data(words.utf8)) != nil }
            if has("gitInformation") { return "\(path) \(information)" }
            if has("\"GIT_"), has("environment") || has("getenv") {
                return "\(path) asks for a variable of git, which is not part of the tree"
            }
        }
        return nil
    }
}

extension Note {
    /// What is said of files that make a run one of a working copy.
    static func treeNotExact(_ differences: [String]) -> Note {
        let shown = differences.prefix(3).joined(separator: ", ")
        let more = differences.count > 3 ? ", and \(differences.count - 3) more" : ""
        return Note(.treeNotExact, detail: shown + more)
    }
}

extension PackageContext {
    /// What the folder stands at, what keeps it from being exactly the commit's tree, and how a run finds out later.
    ///
    /// - Parameter reports: The folder that reports are written to, absolute.
    package func checkout(
        home: Home, reports: String? = nil
    ) async throws -> (revision: Revision?, notes: [Note], tree: TestedTree?) {
        guard let repository else { return (nil, [], nil) }
        var revision = try await repository.revision()
        revision.folder = try await repository.packageSubpath(of: root).folder
        guard let tree = revision.tree.flatMap({ ObjectID($0) }) else { return (revision, [], nil) }
        var differences: [String] = []
        var place: TreePlace?
        if let top = GitRepository.top(around: root) {
            let found = TreePlace(
                repository: repository, tree: tree, top: top, packageRoot: root, isLaidOut: false,
                excluded: ([home.path, home.cache + "/kanmon"] + (reports.map { [$0] } ?? [])).map {
                    URL(filePath: $0).resolvingSymlinksInPath().path
                },
                // Where no script makes files, none of them is made.
                generated: settings.before.isEmpty ? [] : settings.generated.map { Glob($0.value) },
                resolved: ResolvedFile(
                    packageRoot: root, scratchPath: TestRunner.scratchPath(cacheHome: home.cache, packageRoot: root)))
            place = found
            differences = found.tested.strangers([root])
            if differences.isEmpty { differences = await found.differences() }
        } else {
            differences = ["\(root) is in no work tree"]
        }
        guard !differences.isEmpty else {
            return (revision, try await repository.notesOfPointers(), place?.tested)
        }
        revision.tree = nil
        return (revision, [.treeNotExact(differences)], nil)
    }
}
