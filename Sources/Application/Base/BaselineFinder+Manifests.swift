import Foundation
import Gate
import Repository
import RunModel
import TestRunning

extension BaselineFinder {
    /// Not everything that a manifest may read is checked out for it.
    private struct NotLaidOut: Error {
        let reason: String
    }

    /// Evaluates both manifests, which takes a second each, only if they differ, or may read files of which some differ.
    func readManifests(
        at commit: ObjectID, _ head: Head, _ files: PackageFiles, into finding: inout Finding
    ) async throws {
        var before: [String: [UInt8]] = [:]
        for name in try await repository.names(in: commit, of: subpath.folder).compactMap(\.text)
        where PackageManifest.isName(name) {
            guard let bytes = try await repository.file(at: subpath.path(name), in: commit) else {
                return takeUnreadable("\(subpath.path(name)) is no file of the repository", into: &finding)
            }
            before[name] = bytes
        }
        let after = try await files.contents(of: PackageManifest.isName)
        let mayRead = (Array(before.values) + after.values).contains {
            PackageManifest.canReadFiles(String(decoding: $0, as: UTF8.self))
        }
        guard before != after || mayRead, !before.isEmpty else { return }
        do {
            // What cannot be evaluated here, and can where it is built, may hide what it takes away.
            finding.baseline.package =
                if mayRead { try await shape(of: head) } else { try await shape(after, files: []) }
        } catch let error as RunnerError {
            return finding.baseline.gaps.append(gap("\(error)"))
        } catch let error as NotLaidOut {
            return finding.baseline.gaps.append(gap(error.reason))
        }
        do {
            finding.baseline.basePackage =
                if mayRead { try await shape(at: commit) } else {
                    try await shape(before, files: try await packageFiles(in: commit))
                }
        } catch let error as RunnerError {
            guard let reason = Self.fault(of: error) else { return finding.baseline.gaps.append(gap("\(error)")) }
            takeUnreadable(reason, into: &finding)
        } catch let error as NotLaidOut {
            finding.baseline.gaps.append(gap(error.reason))
        }
    }

    /// What a manifest declares that nobody can evaluate as it is where it is built would otherwise hide what a commit takes out of it.
    private func gap(_ reason: String) -> Gap {
        Gap(.baseUnknown, subject: subpath.path("Package.swift"), detail: reason)
    }

    /// That the manifest of the base cannot be evaluated: a change of the gate, which can be waived, because a default branch that is
    /// broken has to be mended.
    private func takeUnreadable(_ reason: String, into finding: inout Finding) {
        finding.notes.append(Note(.baseUnreadable, subject: subpath.path("Package.swift"), detail: reason))
        finding.baseline.unreadableManifest = reason
    }

    /// What is wrong with a manifest that SwiftPM refuses, in one line; `nil` where nobody can say that it is the manifest's fault.
    private static func fault(of error: RunnerError) -> String? {
        switch error {
        case .manifestInvalid(let detail):
            let lines = detail.split(whereSeparator: \.isNewline)
            // Before what the compiler says comes how it was called, with folders of that call.
            return (lines.first { $0.contains(" error: ") } ?? lines.first).map { String($0) } ?? "it says nothing"
        case .descriptionUnreadable: return "\(error)"
        default: return nil
        }
    }

    /// The shape of a package whose manifest may read files: those of a head.
    private func shape(of head: Head) async throws -> PackageShape {
        switch head {
        case .workingCopy(let folder, _, _):
            try await inTemporaryFolder { try await self.shape(in: folder, scratch: $0, files: []) }
        case .staged(let tree), .commit(_, let tree): try await shape(at: tree)
        case .pushed(let pushed): try await shape(at: pushed.tree)
        }
    }

    /// The same for those of a commit or tree. All of it is checked out, because a manifest may read files outside its
    /// package.
    private func shape(at commit: ObjectID) async throws -> PackageShape {
        let (files, bytes) = try await repository.extent(of: commit)
        guard files <= manifestLimit.files, bytes <= manifestLimit.bytes else {
            let (most, size) = (manifestLimit.files, Figures.bytes(manifestLimit.bytes))
            throw NotLaidOut(
                reason: "its manifest reads files, and the repository has more than \(most) of them or \(size)")
        }
        return try await inTemporaryFolder { place in
            let top = place.appending(path: "package").path
            try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
            let missing = try await layOut(commit, in: top, index: place.appending(path: "index").path)
            guard missing.isEmpty else {
                let reasons = missing.prefix(3).map(\.words).joined(separator: "; ")
                throw NotLaidOut(reason: "its manifest reads files, and not all of them are here: \(reasons)")
            }
            return try await shape(
                in: subpath.folder(in: top), scratch: place, files: try await packageFiles(in: commit))
        }
    }

    private func layOut(
        _ commit: ObjectID, in folder: String, index: String
    ) async throws(NotLaidOut) -> [MaterializedTree.Remark] {
        do throws(ShadowTreeError) {
            return try await repository.layOut(commit, in: folder, index: index)
        } catch {
            throw NotLaidOut(reason: "its manifest reads files, and git failed to \(error)")
        }
    }

    /// The paths of all files of the package in a commit or tree, relative to it.
    private func packageFiles(in commit: ObjectID) async throws -> [String] {
        try await repository.files(in: commit, below: subpath.folder).compactMap(\.text).map(subpath.name(of:))
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

    private static func lies(_ file: String, in folder: String) -> Bool {
        folder.isEmpty || file.utf8.starts(with: "\(folder)/".utf8)
    }

    /// - Parameter files: The paths of all files of the package; none where nobody asks what its targets are made of.
    private func shape(in folder: String, scratch: URL, files: [String]) async throws -> PackageShape {
        // SwiftPM resolves links above the folder.
        let root = process.real(folder)
        // A manifest that names its own folder does so wherever it is evaluated; and so does what is said of it.
        func inPlace(_ text: String) -> String { text.replacing(root, with: ".").replacing(folder, with: ".") }
        let manifest: PackageManifest
        do throws(RunnerError) {
            manifest = try await PackageManifest.dumping(
                folder: folder, scratchPath: scratch.path + "/scratch",
                parentEnvironment: process.environment, swiftOverride: swiftOverride)
        } catch {
            guard case .manifestInvalid(let detail) = error else { throw error }
            throw RunnerError.manifestInvalid(detail: inPlace(detail))
        }
        return PackageShape(
            targets: manifest.targets.map { target in
                // What nobody lists may be Swift, and is not known to have been compiled.
                let located = manifest.located(target, among: files)
                let inside = located.map { place in files.filter { Self.lies($0, in: place.path) } }
                let own = (inside ?? []).filter { $0.hasSuffix(".swift") }
                return PackageShape.Target(
                    name: target.name, isTest: target.kind == "test",
                    isModule: ["regular", "executable", "macro"].contains(target.kind)
                        && (inside == nil || !own.isEmpty),
                    files: own.map { ($0 as NSString).lastPathComponent },
                    sources: located.map { place in files.filter(place.compiles) } ?? [],
                    unsafeFlags: target.unsafeFlags.map(inPlace))
            },
            localPackages: manifest.localDependencies.map {
                LocalPackage.relativePath(of: process.real($0), to: root)
            })
    }
}

extension MaterializedTree.Remark {
    /// What is not there, for a person.
    fileprivate var words: String {
        switch self {
        case .submoduleNotMaterialized(let name): "the commit of the submodule \(name) is not in a repository here"
        case .pointerFile(let name): "only the pointer of Git LFS is there of \(name)"
        case .linkLeadsOut(let name): "the link \(name) leads out of the repository"
        }
    }
}
