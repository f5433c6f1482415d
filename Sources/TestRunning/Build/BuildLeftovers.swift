import Evidence
import Foundation
import RunModel

/// What an earlier build left in a scratch folder that a fresh clone would not have.
///
/// SwiftPM leaves the modules, programs and resources of targets and files that are gone
/// (https://github.com/swiftlang/swift-package-manager/issues/8426), and does not compile a Swift module again when a header
/// changes that no C source includes. So tests would pass here that cannot even be built elsewhere.
struct BuildLeftovers: Sendable {
    /// The name of the record in the scratch folder.
    static let fileName = "kanmon-headers.json"

    /// The headers that the modules were compiled with, as hashes.
    private struct Headers: Codable, Hashable {
        /// Of the package and of local packages.
        var own = ""
        /// Of each dependency, by its folder.
        var fetched: [String: String] = [:]
    }

    private let scratchPath: String
    /// The folder of the products, and the same as SwiftPM writes it into its plan.
    private let productsPath: String, plannedPath: String
    /// The folders of the package and of local packages.
    private let roots: [String]
    /// The compiler's names of the modules in these folders; `nil` if not all are known.
    private let ownModules: Set<String>?

    /// Prepares to remove what is left in the scratch folder of a build.
    init(_ invocation: TestInvocation, _ modules: [Module], local: [LocalPackage]) {
        scratchPath = invocation.scratchPath
        productsPath = realPath(invocation.productsPath) ?? invocation.productsPath
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: invocation.productsPath)
        plannedPath = target.map { $0.hasPrefix("/") ? $0 : "\(invocation.scratchPath)/\($0)" } ?? productsPath
        let known = ResolvedVersions.localPackages(scratchPath: scratchPath) ?? []
        let root = invocation.packageRoot
        // A folder of the package that cannot be listed must not hide the others.
        roots = [root] + modules.map { "\(root)/\($0.path)" } + local.map { "\(root)/\($0.path)" } + known
        let names = local.map { $0.modules?.map { $0.replacing("-", with: "_") } }
        let isKnown = known.count <= local.count && names.allSatisfy { $0 != nil }
        ownModules = isKnown ? Set(modules.map(\.compilerName) + names.flatMap { $0 ?? [] }) : nil
    }

    /// Makes a build compile what was compiled with other headers of the package.
    func prepareBuild() throws(RunnerError) {
        let known = known()
        var headers = known ?? Headers()
        headers.own = Self.headers(below: roots)
        // Without a record nothing was built here, or not by Kanmon.
        if let known, known.own != headers.own { try removeObjects(ownModules) }
        try remember(headers)
    }

    /// Removes what a successful build has left of earlier ones; answers whether the package must be built once more, because that
    /// build may have read some of it.
    func removeAfterBuild() throws(RunnerError) -> Bool {
        var isStale = false
        // SwiftPM fetches dependencies while it builds. Of a new one nothing is stale.
        if var headers = known() {
            let fetched = fetchedHeaders()
            if headers.fetched.contains(where: { name, hash in fetched[name].map { $0 != hash } ?? false }) {
                try removeObjects(nil)
                isStale = true
            }
            headers.fetched = fetched
            try remember(headers)
        }
        let unplanned = unplanned()
        if unplanned.contains(where: { $0.hasPrefix("Modules") }) {
            // First, so that, if this run is killed here, the next one still finds the modules.
            try removeObjects(ownModules)
            isStale = true
        }
        for path in unplanned { try removeIfPresent("\(productsPath)/\(path)") }
        return isStale
    }

    /// The modules, programs and resources that are not in SwiftPM's plan, by their paths below the products.
    private func unplanned() -> [String] {
        // Other build systems have no such plan.
        guard let plan = FileManager.default.contents(atPath: "\(scratchPath)/debug.yaml") else { return [] }
        let planned = Self.paths(in: plan, below: plannedPath)
        return planned.isEmpty ? [] : candidates().filter { !isPlanned($0, planned) }
    }

    /// Whether a file, or a folder that it lies in, is planned. A name that the plan may escape counts as planned.
    private func isPlanned(_ path: String, _ planned: Set<[UInt8]>) -> Bool {
        let bytes = Array(path.utf8)
        if bytes.contains(where: { $0 < 0x20 || $0 > 0x7E || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            return true
        }
        // In the plan, the path of a folder that is made ends with a slash.
        let folders = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { bytes[...$0] }
        return (folders + [bytes[...]]).contains { planned.contains(Array($0)) }
    }

    /// The modules, resources and programs among the products.
    private func candidates() -> [String] {
        let modules = ["Modules", "Modules-tool"].flatMap { folder in
            names(in: folder).filter { $0.hasSuffix(".swiftmodule") }.map { "\(folder)/\($0)" }
        }
        return modules
            + names(in: "").flatMap { name -> [String] in
                var info = stat()
                guard lstat("\(productsPath)/\(name)", &info) == 0 else { return [] }
                if info.st_mode & S_IFMT == S_IFREG { return info.st_mode & S_IXUSR == 0 ? [] : [name] }
                guard name.hasSuffix(".resources") else { return [] }
                let all = FolderListing("\(productsPath)/\(name)")?.files ?? []
                return all.map { "\(name)/\(String(decoding: $0.path, as: UTF8.self))" }
            }
    }

    private func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(productsPath)/\(folder)")) ?? []).sorted()
    }

    /// The quoted paths in a plan that lie in a folder, relative to it.
    private static func paths(in plan: Data, below folder: String) -> Set<[UInt8]> {
        let prefix = Array("\(folder)/".utf8)
        return plan.withUnsafeBytes { plan in
            let quoted = plan.split(separator: UInt8(ascii: "\"")).filter { $0.starts(with: prefix) }
            return Set(quoted.map { Array($0.dropFirst(prefix.count)) })
        }
    }

    /// Removes what compilers made of some modules, or of all, so that it is compiled again. What is built for macros and plugins lies
    /// in folders of its own.
    private func removeObjects(_ modules: Set<String>?) throws(RunnerError) {
        let folders = modules.map { Set($0.flatMap { ["\($0).build", "\($0)-tool.build"] }) }
        for name in names(in: "") where name.hasSuffix(".build") && folders?.contains(name) != false {
            try removeIfPresent("\(productsPath)/\(name)")
        }
    }

    private func fetchedHeaders() -> [String: String] {
        let folders = BuildRecord.fetched.map { "\(scratchPath)/\($0)" }.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
        }
        return Dictionary(uniqueKeysWithValues: folders.map { ($0, Self.headers(below: [$0])) })
    }

    private static let headerSuffixes = [
        ".h", ".H", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".def", ".ipp", ".tcc", ".tpp", ".modulemap", ".apinotes",
    ].map { Array($0.utf8) }

    /// The headers in some folders as one hash of their contents, each once; a folder that cannot be listed counts as empty.
    private static func headers(below folders: [String]) -> String {
        var hash = PiecewiseHash()
        var listed: [String] = []
        for folder in folders where !listed.contains(where: { folder == $0 || folder.hasPrefix($0 + "/") }) {
            guard let listing = FolderListing(folder, skipping: FolderListing.isNoSource) else { continue }
            listed.append(folder)
            for file in listing.files where headerSuffixes.contains(where: file.path.hasSuffix) {
                hash.add(file.path)
                let path = "\(folder)/\(String(decoding: file.path, as: UTF8.self))"
                hash.add(FileManager.default.contents(atPath: path).map { Digest.sha256(Array($0)).utf8 })
            }
        }
        return hash.hexadecimal
    }

    private var recordPath: String { "\(scratchPath)/\(Self.fileName)" }

    private func known() -> Headers? {
        FileManager.default.contents(atPath: recordPath).flatMap { try? JSONDecoder().decode(Headers.self, from: $0) }
    }

    private func remember(_ headers: Headers) throws(RunnerError) {
        try onFileSystem("write", recordPath) {
            try JSONEncoder().encode(headers).write(to: URL(filePath: recordPath), options: .atomic)
        }
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
