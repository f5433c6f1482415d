import RunModel

/// Which measured files came in without a change that git shows: all of their lines count as new.
struct SourceOrigin {
    /// The sources that git compared.
    private let files: Set<Name>
    /// The folders that it compared with all that lies in them.
    private let folders: FolderSet
    /// Whether it compared the folder of the package, with all that lies in it.
    private let comparesAll: Bool
    /// Links and submodules that lead elsewhere than at the base.
    private let places: Set<Name>
    /// The same as folders.
    private let foldersElsewhere: FolderSet
    /// The sources that the base's manifest compiled, where it is another; `nil` if it is not, or that is unknown.
    private let compiled: Set<Name>?
    /// The sources of the base's run, by path.
    private let base: [Name: String]
    private let renamed: [Name: String]

    init(_ comparison: ChangeComparison, package: PackageShape?) {
        files = Set(comparison.compared.lazy.filter { !$0.hasSuffix("/") }.map(Name.init))
        folders = FolderSet(comparison.compared.lazy.filter { $0.hasSuffix("/") })
        comparesAll = comparison.compared.contains(ChangeComparison.everything)
        let elsewhere: [String] = comparison.changes.filter { $0.leadsElsewhere == true }.compactMap(\.path)
        places = Set(elsewhere.map { Name($0) })
        foldersElsewhere = FolderSet(elsewhere.map { $0 + "/" })
        compiled = package?.sources
        base = Dictionary(
            (comparison.coverage?.files ?? []).compactMap { file in file.source.map { (Name(file.path), $0) } },
            uniquingKeysWith: { first, _ in first })
        renamed = Dictionary(
            comparison.changes.compactMap { change in
                change.path.flatMap { path in change.basePath.map { (Name(path), $0) } }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether nobody can say what of a file is new, so that all of it is.
    func isUnknown(_ file: FileCoverage) -> Bool {
        // The base's run compiled the same bytes.
        if let before = base[Name(file.path)], before == file.sourceHash { return false }
        if places.contains(Name(file.path)) || foldersElsewhere.holds(file.path) { return true }
        let isCompared =
            comparesAll || files.contains(Name(file.path)) || renamed[Name(file.path)] != nil
            || folders.holds(file.path)
        guard isCompared else { return true }
        guard let compiled else { return false }
        return !compiled.contains(Name(renamed[Name(file.path)] ?? file.path))
    }
}
