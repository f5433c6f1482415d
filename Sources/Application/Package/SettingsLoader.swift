import Evidence
import Foundation
import Gate
package import SettingsFile

/// Reads the settings of a package: flag over environment over file over default.
package struct SettingsLoader: Sendable {
    /// The name of the file, in the package's folder.
    package static let fileName = ".kanmon.yml"

    let process: ProcessContext

    package init(process: ProcessContext) { self.process = process }

    /// The settings of the package in `packageRoot`; without a file, the defaults.
    package func load(packageRoot: String, flags: SettingsFlags = SettingsFlags()) throws -> Settings {
        try checkPlaces(around: packageRoot)
        let file = try loadFileAlone(packageRoot: packageRoot) ?? Settings()
        return try Settings.resolve(file: file, environment: process.environment, flags: flags)
    }

    /// Refuses settings files that would be ignored.
    private func checkPlaces(around packageRoot: String) throws(Problem) {
        let subpath = PackageSubpath(PackagePlace(root: packageRoot).prefix)
        let (places, top) = (SettingsPlaces(subpath: subpath), subpath.top(of: packageRoot))
        for folder in places.folders {
            let names = try? FileManager.default.contentsOfDirectory(atPath: PackageSubpath(folder).folder(in: top))
            try places.check((names ?? []).sorted(), in: folder)
        }
    }

    /// The settings of the package's file, without environment and flags; `nil` without a file.
    func loadFileAlone(packageRoot: String) throws -> Settings? {
        try text(packageRoot: packageRoot).map { try Settings.read(text: $0, file: Self.fileName) }
    }

    /// The text of the package's file; `nil` without a file.
    package func text(packageRoot: String) throws -> String? {
        let path = packageRoot + "/" + Self.fileName
        // Links are not followed: one to nothing is no package without settings.
        let isThere = (try? FileManager.default.attributesOfItem(atPath: path)) != nil
        return isThere ? try Self.text(path, named: Self.fileName) : nil
    }

    /// The settings in the bytes of a file; errors use `name`.
    func read(_ bytes: [UInt8], named name: String = SettingsLoader.fileName) throws -> Settings {
        try Settings.read(text: Self.text(bytes, named: name), file: name)
    }

    /// The settings of one file, for a draft policy.
    package func load(file path: String) throws -> Settings {
        try Settings.read(text: Self.text(process.absolute(path), named: path), file: path)
    }

    private static func text(_ path: String, named name: String) throws -> String {
        let bytes: Data
        if let status = FileStatus(at: path) { try Settings.checkSize(status.size, file: name) }
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Problem(.badConfiguration, "failed to read \(path): \(error.fileSystemReason)")
        }
        return try text(bytes, named: name)
    }

    private static func text(_ bytes: some Collection<UInt8>, named name: String) throws -> String {
        try Settings.checkSize(bytes.count, file: name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(.badConfiguration, "\(name) is not UTF-8")
        }
        return text
    }
}
