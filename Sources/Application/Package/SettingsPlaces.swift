import Gate
import RunModel

/// Refuses files that look like settings but are ignored, because their rules would not apply.
struct SettingsPlaces: Sendable {
    /// The package's path.
    let subpath: PackageSubpath

    /// The package's folder and those above it in the repository, relative to its top.
    var folders: [String] {
        let parts = subpath.folder.split(separator: "/")
        return (0...parts.count).map { parts.prefix($0).joined(separator: "/") }
    }

    /// Checks the names in one of these folders.
    ///
    /// - Throws: `Problem` for settings under another name, or above the package in a folder without a package.
    func check(_ names: [String], in folder: String) throws(Problem) {
        let name = SettingsLoader.fileName
        if Name(folder) == Name(subpath.folder) {
            guard let wrong = names.first(where: Self.isMisnamed) else { return }
            throw Problem(
                .badConfiguration, "\(subpath.path(wrong)) is ignored: the settings file is \(name)",
                hint: names.contains(name) ? "remove it" : "rename it to \(name)")
        }
        guard !names.contains("Package.swift"),
            let stray = names.first(where: { $0 == name || Self.isMisnamed($0) })
        else { return }
        throw Problem(
            .badConfiguration,
            "\(PackageSubpath(folder).path(stray)) is ignored: the package is in \(subpath.folder)",
            hint: "move it to \(subpath.path(name))")
    }

    /// Whether a name is a likely mistake for `.kanmon.yml`.
    private static func isMisnamed(_ name: String) -> Bool {
        name != SettingsLoader.fileName && lookalikes.contains(name.lowercased())
    }

    private static let lookalikes: Set = [
        ".kanmon.yml", ".kanmon.yaml", ".kanmon.json", ".kanmon.toml", "kanmon.yml", "kanmon.yaml",
    ]
}
