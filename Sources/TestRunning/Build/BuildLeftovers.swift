import Foundation
import RunModel

/// What an earlier build left in a scratch folder and a fresh clone would not have.
///
/// SwiftPM leaves the modules, programs and resources of targets and files that are gone
/// (https://github.com/swiftlang/swift-package-manager/issues/8426), and compiles no Swift module again because of a header
/// that no C source includes. So tests would pass here that cannot even be built elsewhere.
struct BuildLeftovers: Sendable {
    /// The name of the record in the scratch folder.
    static let fileName = "kanmon-headers.json"

    /// The headers that the modules were compiled with, each by its stamp.
    private struct Headers: Codable, Hashable {
        /// Of the targets and of local packages, as a hash.
        var own = ""
        /// Of dependencies, as a hash.
        var fetched = ""
    }

    private let scratchPath: String
    private let productsPath: String
    private let targets: [String]
    /// The folders of what is compiled from the package's own targets; `nil` if local packages have some too.
    private let ownObjects: Set<String>?
    private let local: [String]

    /// Makes the leftovers of a build.
    init(_ invocation: TestInvocation, _ modules: [Module]) {
        scratchPath = invocation.scratchPath
        productsPath = realPath(invocation.productsPath) ?? invocation.productsPath
        targets = modules.map { "\(invocation.packageRoot)/\($0.path)" }
        local = ResolvedVersions.localPackages(scratchPath: scratchPath) ?? []
        ownObjects = local.isEmpty ? Set(modules.map { "\($0.compilerName).build" }) : nil
    }

    /// Makes a build compile what was compiled with other headers of the package.
    func prepareBuild() throws(RunnerError) {
        let known = known()
        let own = headers(below: targets + local)
        if known?.own != own { try removeObjects(ownObjects) }
        try remember(Headers(own: own, fetched: known?.fetched ?? ""))
    }

    /// Removes what a successful build has left of earlier ones; answers whether the package must be built once more, because that
    /// build has read some of it.
    func removeAfterBuild() throws(RunnerError) -> Bool {
        var isStale = false
        // SwiftPM fetches dependencies while it builds.
        if var known = known() {
            let fetched = headers(below: ["artifacts", "checkouts", "registry"].map { "\(scratchPath)/\($0)" })
            if known.fetched != fetched {
                if !known.fetched.isEmpty {
                    try removeObjects(nil)
                    isStale = true
                }
                known.fetched = fetched
                try remember(known)
            }
        }
        if try removeUnplanned() {
            try removeObjects(ownObjects)
            isStale = true
        }
        return isStale
    }

    /// Removes modules, programs and resources that are in no plan of SwiftPM; answers whether modules were among them.
    private func removeUnplanned() throws(RunnerError) -> Bool {
        // Other build systems have no such plan.
        guard let plan = FileManager.default.contents(atPath: "\(scratchPath)/debug.yaml") else { return false }
        let planned = Self.paths(in: plan, below: productsPath)
        guard !planned.isEmpty else { return false }
        var hadModules = false
        for path in candidates() where !isPlanned(path, planned) {
            try removeIfPresent("\(productsPath)/\(path)")
            if path.hasPrefix("Modules/") { hadModules = true }
        }
        return hadModules
    }

    /// Whether a file, or a folder that it lies in, is planned. A name that the plan escapes is not looked for.
    private func isPlanned(_ path: String, _ planned: Set<[UInt8]>) -> Bool {
        let bytes = Array(path.utf8)
        if bytes.contains(where: { $0 < 0x20 || $0 > 0x7E || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            return true
        }
        // A folder that is made ends with a slash there.
        let folders = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { bytes[...$0] }
        return (folders + [bytes[...]]).contains { planned.contains(Array($0)) }
    }

    /// The modules, resources and programs among the products, by their paths below them.
    private func candidates() -> [String] {
        let files = FileManager.default
        func names(_ folder: String) -> [String] {
            ((try? files.contentsOfDirectory(atPath: "\(productsPath)/\(folder)")) ?? []).sorted()
        }
        let modules = names("Modules").filter { $0.hasSuffix(".swiftmodule") }.map { "Modules/\($0)" }
        return modules
            + names("").flatMap { name -> [String] in
                var info = stat()
                guard lstat("\(productsPath)/\(name)", &info) == 0 else { return [] }
                if info.st_mode & S_IFMT == S_IFREG { return info.st_mode & S_IXUSR == 0 ? [] : [name] }
                guard name.hasSuffix(".resources") else { return [] }
                let all = FolderListing("\(productsPath)/\(name)")?.files ?? []
                return all.map { "\(name)/\(String(decoding: $0.path, as: UTF8.self))" }
            }
    }

    /// The quoted paths of a plan in a folder, below it.
    private static func paths(in plan: Data, below folder: String) -> Set<[UInt8]> {
        let prefix = Array("\(folder)/".utf8)
        return plan.withUnsafeBytes { plan in
            let quoted = plan.split(separator: UInt8(ascii: "\"")).filter { $0.starts(with: prefix) }
            return Set(quoted.map { Array($0.dropFirst(prefix.count)) })
        }
    }

    /// Removes what compilers made, so that all of it is compiled again.
    ///
    /// - Parameter folders: Which folders of objects; `nil` for all.
    private func removeObjects(_ folders: Set<String>?) throws(RunnerError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: productsPath)) ?? []
        for name in names where name.hasSuffix(".build") && folders?.contains(name) != false {
            try removeIfPresent("\(productsPath)/\(name)")
        }
    }

    private static let headerSuffixes = [
        ".h", ".hh", ".hpp", ".hxx", ".inc", ".def", ".ipp", ".tcc", ".modulemap", ".apinotes",
    ].map { Array($0.utf8) }

    /// The headers in some folders as one hash; a folder that cannot be listed counts as empty.
    private func headers(below folders: [String]) -> String {
        var hash = PiecewiseHash()
        for folder in folders {
            let listing = FolderListing(folder, stamped: true) { path in
                let name = path.lastComponent
                return name.elementsEqual(".git".utf8) || name.elementsEqual(".build".utf8)
            }
            for file in listing?.files ?? [] where Self.headerSuffixes.contains(where: file.path.hasSuffix) {
                hash.add(file.path)
                hash.add(file.stamp?.bytes)
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
