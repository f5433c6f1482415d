import Foundation
import Repository
import TestRunning

/// The name under which the runs of a package are kept.
enum ProjectName {
    /// The name in the settings, else from `origin`, else from the manifest, else the folder's name.
    ///
    /// - Parameters:
    ///   - chosen: The key `project` of the settings.
    ///   - manifest: The bytes of `Package.swift`.
    ///   - folder: The package's folder, or that of its repository.
    static func find(
        chosen: String?, manifest: [UInt8]?, folder: String, repository: GitRepository?,
        subpath: PackageSubpath = PackageSubpath()
    ) async throws -> String {
        if let chosen { return chosen }
        let name = manifest.flatMap { PackageManifest.literalName(in: String(decoding: $0, as: UTF8.self)) }
        let package = name ?? (folder as NSString).lastPathComponent
        guard let repository else { return package }
        return try await repository.projectName(packageSubpath: subpath.folder, packageName: package)
    }

    /// The same for a package that is only in git, with the manifest of a tree and the folder of the repository.
    static func find(
        chosen: String?, manifest: [UInt8]?, in repository: GitRepository, at subpath: PackageSubpath
    ) async throws -> String {
        // A bare repository has no work tree, and all work trees of a repository must give the same name.
        let top = repository.workTree ?? repository.commonDirectory
        return try await find(
            chosen: chosen, manifest: manifest, folder: subpath.isTop ? top : subpath.folder, repository: repository,
            subpath: subpath)
    }

    /// The names under which runs of a commit's tree are kept: that of its project, and for the first commit of a history the
    /// one from before it was made.
    ///
    /// A project may be named after its first commit. What was staged for that one was tested without a name for it, and only for
    /// it: every later commit is in the project's name no more than any other.
    static func names(of project: String, for commit: ObjectID?) -> [String] {
        guard let commit,
            let place = project.firstRange(of: GitRepository.mark(ofHistoryFrom: commit))
        else { return [project] }
        return [project, project.replacingCharacters(in: place, with: "")]
    }
}
