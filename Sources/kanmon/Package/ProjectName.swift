import Foundation
import Repository
import TestRunning

/// The name under which the runs of a package are kept.
enum ProjectName {
    /// What the settings say, else what `origin` says, else what the manifest says, else the folder's name.
    ///
    /// - Parameters:
    ///   - chosen: The key `project` of the settings.
    ///   - manifest: The bytes of `Package.swift`.
    ///   - folder: The package's folder, or that of its repository.
    ///   - subpath: Where the package lies below the top of the repository; empty for the top.
    static func find(
        chosen: String?, manifest: [UInt8]?, folder: String, repository: GitRepository?, subpath: String = ""
    ) async throws -> String {
        if let chosen { return chosen }
        let name = manifest.flatMap { PackageManifest.literalName(in: String(decoding: $0, as: UTF8.self)) }
        let package = name ?? (folder as NSString).lastPathComponent
        guard let repository else { return package }
        return try await repository.projectName(packageSubpath: subpath, packageName: package)
    }
}
