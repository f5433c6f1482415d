import Foundation
import Gate
import Repository
import RunModel
import TestRunning

extension BaselineFinder {
    /// A manifest may read more files than are laid out for it.
    private struct TooManyFiles: Error {}

    /// Evaluates both manifests, which takes a second each, only if they differ, or may read files of which some differ.
    func readManifests(
        at commit: ObjectID, _ head: Head, _ files: PackageFiles, into finding: inout Finding
    ) async throws {
        var before: [String: [UInt8]] = [:]
        for name in try await repository.names(in: commit, of: subpath.folder).compactMap(\.text)
        where PackageManifest.isName(name) {
            before[name] = try await repository.file(at: subpath.path(name), in: commit)
        }
        let after = try await files.contents(of: PackageManifest.isName)
        let mayRead = (Array(before.values) + after.values).contains {
            PackageManifest.canReadFiles(String(decoding: $0, as: UTF8.self))
        }
        guard before != after || mayRead, !before.isEmpty else { return }
        let names = try await repository.files(in: commit, below: subpath.folder).compactMap(\.text)
        do {
            // What cannot be evaluated here, and can where it is built, may hide what it takes away. Of the base it hides nothing that
            // passed.
            finding.baseline.package =
                if mayRead { try await shape(of: head) } else { try await shape(after, files: []) }
        } catch let error as RunnerError {
            return finding.baseline.gaps.append(
                Gap(.baseUnknown, subject: subpath.path("Package.swift"), detail: "\(error)"))
        } catch is TooManyFiles {
            return finding.baseline.gaps.append(tooManyFiles)
        }
        do {
            finding.baseline.basePackage =
                if mayRead { try await shape(at: commit, names) } else {
                    try await shape(before, files: names.map(subpath.name(of:)))
                }
        } catch let error as RunnerError {
            finding.notes.append(Note(.baseUnreadable, subject: subpath.path("Package.swift"), detail: "\(error)"))
        } catch is TooManyFiles {
            finding.baseline.gaps.append(tooManyFiles)
        }
    }

    /// Files that nobody needs would otherwise hide what a commit takes out of the manifest.
    private var tooManyFiles: Gap {
        let (files, bytes) = (manifestLimit.files, Figures.bytes(manifestLimit.bytes))
        return Gap(
            .baseUnknown, subject: subpath.path("Package.swift"),
            detail: "its manifest reads files, and the package has more than \(files) of them or \(bytes)")
    }

    /// The shape of a package whose manifest may read its files: those of a head.
    private func shape(of head: Head) async throws -> PackageShape {
        let tree: ObjectID
        switch head {
        case .workingCopy(let folder, _, _):
            return try await inTemporaryFolder { try await self.shape(in: folder, scratch: $0, files: []) }
        case .staged(let staged): tree = staged
        case .commit(_, let its): tree = its
        case .pushed(let pushed): tree = pushed.tree
        }
        let names = try await repository.files(in: tree, below: subpath.folder).compactMap(\.text)
        return try await shape(at: tree, names)
    }

    /// The same for the files of a commit or tree, by their paths below the top of the repository.
    private func shape(at commit: ObjectID, _ files: [String]) async throws -> PackageShape {
        try await inTemporaryFolder { place in
            let folder = place.appending(path: "package")
            var left = manifestLimit.bytes
            guard files.count <= manifestLimit.files else { throw TooManyFiles() }
            for file in files {
                let name = subpath.name(of: file)
                // A tree that somebody made by hand may name anything.
                let parts = name.split(separator: "/", omittingEmptySubsequences: false)
                guard !parts.contains(where: { ["", ".", ".."].contains($0) }),
                    let bytes = try await repository.file(at: file, in: commit)
                else { continue }
                left -= bytes.count
                guard left >= 0 else { throw TooManyFiles() }
                let path = folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: path)
            }
            return try await shape(
                in: folder.path, scratch: place, files: files.map(subpath.name(of:)))
        }
    }

    private func shape(_ manifests: [String: [UInt8]], files: [String]) async throws -> PackageShape {
        try await inTemporaryFolder { place in
            let folder = place.appending(path: "package")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, bytes) in manifests { try Data(bytes).write(to: folder.appending(path: name)) }
            return try await shape(in: folder.path, scratch: place, files: files)
        }
    }

    private func inTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let place = FileManager.default.temporaryDirectory.appending(path: "kanmon-base-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return try await body(place)
    }

    /// - Parameter files: The paths of all files of the package.
    private func shape(in folder: String, scratch: URL, files: [String]) async throws -> PackageShape {
        let manifest = try await PackageManifest.dumping(
            folder: folder, scratchPath: scratch.path + "/scratch",
            parentEnvironment: surroundings.environment, swiftOverride: swiftOverride)
        // SwiftPM resolves links above the folder.
        let root = surroundings.real(folder)
        return PackageShape(
            targets: manifest.targets.map { target in
                let own = files.filter { $0.hasPrefix(target.path + "/") && $0.hasSuffix(".swift") }
                return PackageShape.Target(
                    name: target.name, isTest: target.kind == "test",
                    isModule: ["regular", "executable", "macro"].contains(target.kind) && !own.isEmpty,
                    files: own.map { ($0 as NSString).lastPathComponent }, sources: files.filter(target.compiles),
                    // A manifest that names its own folder does so in whatever folder it is evaluated.
                    unsafeFlags: target.unsafeFlags.map {
                        $0.replacing(root, with: ".").replacing(folder, with: ".")
                    })
            },
            localPackages: manifest.localDependencies.map {
                LocalPackage.relativePath(of: surroundings.real($0), to: root)
            })
    }
}
