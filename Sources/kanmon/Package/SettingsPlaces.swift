import Gate

/// Refuses files that a person takes for the settings and that nobody reads: with them the bar is not what it seems to be.
struct SettingsPlaces: Sendable {
    /// Where the package lies.
    let subpath: PackageSubpath

    /// The package's folder and those above it in the repository, relative to its top.
    var folders: [String] {
        let parts = subpath.folder.split(separator: "/")
        return (0...parts.count).map { parts.prefix($0).joined(separator: "/") }
    }

    /// Looks at what is in one of these folders.
    ///
    /// - Throws: `Problem` for the settings under another name, or above the package where no other package is.
    func check(_ names: [String], in folder: String) throws(Problem) {
        let name = SettingsLoader.fileName
        if folder.utf8.elementsEqual(subpath.folder.utf8) {
            guard let wrong = names.first(where: Self.isMisnamed) else { return }
            throw Problem(
                .badConfiguration, "\(subpath.path(wrong)) is read by nobody: settings stand in \(name)",
                hint: names.contains(name) ? "remove it" : "rename it to \(name)")
        }
        guard !names.contains("Package.swift"),
            let stray = names.first(where: { $0 == name || Self.isMisnamed($0) })
        else { return }
        throw Problem(
            .badConfiguration,
            "\(PackageSubpath(folder).path(stray)) is read by nobody: the package is in \(subpath.folder)",
            hint: "move it to \(subpath.path(name))")
    }

    /// Whether a name is what a person may have written in place of `.kanmon.yml`.
    private static func isMisnamed(_ name: String) -> Bool {
        name != SettingsLoader.fileName && lookalikes.contains(name.lowercased())
    }

    private static let lookalikes: Set = [
        ".kanmon.yml", ".kanmon.yaml", ".kanmon.json", ".kanmon.toml", "kanmon.yml", "kanmon.yaml",
    ]
}
