import Foundation

/// What the last build in a scratch folder read and made: where nothing of it is another, there is nothing to build.
///
/// `swift build` takes half a second and more to find that out, since it plans the whole build anew. Looked at is what it
/// looks at: what its answers hang on (see `PackageKey`), the files of the package and of all it depends on, those elsewhere
/// that a compiler said it read, and everything that was built; each by its stamp, not by its content. Whatever is not known
/// for sure is left to `swift build`.
struct BuildMemory: Sendable {
    /// The name of the record in the scratch folder.
    static let fileName = "kanmon-build.json"

    /// What a build reads, as far as it is known before.
    struct Inputs: Sendable, Hashable {
        /// All of it as one hash.
        fileprivate var digest: String
        /// The newest change to one of its files, in nanoseconds since 1970.
        fileprivate var lastChange: Int64
        /// The absolute paths of its files.
        fileprivate var paths: Set<[UInt8]>
        /// The folders that they lie in.
        fileprivate var folders: [String]
    }

    private struct Record: Codable {
        /// The hash of the inputs.
        var inputs: String
        /// What compilers read elsewhere, by path: its stamp, or nothing where there is no such file.
        var elsewhere: [String: String]
        /// The hash of what was built.
        var products: String
    }

    private let key: PackageKey
    private let scratchPath: String
    private let productsPath: String

    /// Names what is built, and where.
    init(_ invocation: TestInvocation) {
        key = PackageKey(packageRoot: invocation.packageRoot, command: invocation.build)
        scratchPath = invocation.scratchPath
        productsPath = invocation.productsPath
    }

    /// What a build reads now; `nil` where that cannot be told without building.
    func inputs() -> Inputs? {
        guard let digest = key.digest(), let folders = folders() else { return nil }
        var hash = PiecewiseHash()
        hash.add(digest.utf8)
        var inputs = Inputs(digest: "", lastChange: 0, paths: [], folders: folders)
        for folder in folders {
            // SwiftPM makes folders for what there may be; one that is not there holds as little.
            guard FileManager.default.fileExists(atPath: folder) else { continue }
            guard let listing = FolderListing.package(folder, stamped: true) else { return nil }
            if listing.isEmpty { continue }
            hash.add(folder.utf8)
            hash.add(listing)
            inputs.lastChange = listing.files.reduce(inputs.lastChange) { max($0, $1.stamp?.changed ?? 0) }
            inputs.paths.formUnion(listing.files.map { Array(folder.utf8) + [UInt8(ascii: "/")] + $0.path })
        }
        inputs.digest = hash.hexadecimal
        return inputs
    }

    /// Whether a build of these inputs would find nothing to do.
    func isUpToDate(_ inputs: Inputs) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: path),
            let record = try? JSONDecoder().decode(Record.self, from: bytes)
        else { return false }
        return record.inputs == inputs.digest && Self.stamps(of: record.elsewhere.keys) == record.elsewhere
            && products().map(Self.digest) == record.products
    }

    /// Forgets the last build: what follows may leave half of another.
    func forget() throws(RunnerError) { try removeIfPresent(path) }

    /// Keeps what a build that worked has read and made; where that is not known for sure, nothing.
    ///
    /// - Parameters:
    ///   - inputs: What they were before the build: what changed meanwhile was perhaps not read.
    ///   - end: When the build ended, in nanoseconds since 1970.
    func remember(_ inputs: Inputs, builtUntil end: Int64) {
        // A change that comes now is to have another time than any before, also where a file system counts in two seconds.
        let isSettled = inputs.lastChange + 2_000_000_000 < end
        guard isSettled, !runsPlugins, self.inputs() == inputs, let products = products(),
            let elsewhere = readElsewhere(products, than: inputs),
            let bytes = try? JSONEncoder().encode(
                Record(inputs: inputs.digest, elsewhere: elsewhere, products: Self.digest(products)))
        else { return }
        try? bytes.write(to: URL(filePath: path), options: .atomic)
    }

    private var path: String { "\(scratchPath)/\(Self.fileName)" }

    /// The package, what it depends on, and where SwiftPM and pkg-config find their settings; `nil` where a dependency can
    /// change in a way that is not known.
    private func folders() -> [String]? {
        guard let local = ResolvedVersions.localPackages(scratchPath: scratchPath) else { return nil }
        let variables = key.command.environment
        let places =
            ["artifacts", "checkouts", "prebuilts", "registry"].map { "\(scratchPath)/\($0)" }
            + [key.packageRoot, variables["HOME"] ?? ""].map { "\($0)/.swiftpm/configuration" }
            + Self.pkgConfig(variables)
        return [key.packageRoot] + local.filter { !$0.hasPrefix(key.packageRoot + "/") }
            + places
    }

    /// Where descriptions of system libraries lie: their flags are part of the build, and no compiler names their files.
    private static func pkgConfig(_ variables: [String: String]) -> [String] {
        let libraries = ["/usr/lib", "/usr/local/lib"]
        // Debian has a folder for each kind of machine.
        let inner = libraries.flatMap { library in
            ((try? FileManager.default.contentsOfDirectory(atPath: library)) ?? [])
                .filter { $0.contains("-linux-") }.sorted().map { "\(library)/\($0)" }
        }
        let named = ["PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"].flatMap { name in
            (variables[name] ?? "").split(separator: ":").map(String.init)
        }
        return named + (libraries + inner + ["/usr/lib64", "/usr/share", "/usr/local/share"]).map { "\($0)/pkgconfig" }
    }

    /// Whether plugins make sources: they may read whatever they like.
    private var runsPlugins: Bool {
        let outputs = try? FileManager.default.contentsOfDirectory(atPath: "\(scratchPath)/plugins/outputs")
        return outputs?.isEmpty == false
    }

    /// What was built. Plans are left out, which `swift test` writes anew without building, and what no test needs.
    private func products() -> FolderListing? {
        FolderListing(realPath(productsPath) ?? productsPath, stamped: true) { path in
            let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            switch parts.count {
            case 1: return Self.noProducts.contains { parts[0].elementsEqual($0.utf8) }
            case 2: return parts[0].suffix(6).elementsEqual(".build".utf8) && parts[1].elementsEqual(Self.plan.utf8)
            default: return false
            }
        }
    }

    private static let plan = "output-file-map.json"
    private static let noProducts = [
        "ModuleCache", "codecov", "description.json", "index", "plugin-tools-description.json",
    ]

    private static func digest(_ listing: FolderListing) -> String {
        var hash = PiecewiseHash()
        hash.add(listing)
        return hash.hexadecimal
    }

    /// What compilers read that is neither an input, nor built, nor of the toolchain; `nil` where they did not say, or read
    /// a file in a folder of which nothing is listed: another may come to it unseen.
    private func readElsewhere(_ products: FolderListing, than inputs: Inputs) -> [String: String]? {
        let toolchain = ((key.command.executable as NSString).deletingLastPathComponent as NSString)
            .deletingLastPathComponent
        let folder = realPath(productsPath) ?? productsPath
        var paths: Set<[UInt8]> = []
        for file in products.files where file.path.suffix(2).elementsEqual(".d".utf8) {
            let name = "\(folder)/\(String(decoding: file.path, as: UTF8.self))"
            guard let bytes = FileManager.default.contents(atPath: name) else { return nil }
            paths.formUnion(DependencyFile.paths(in: Array(bytes)).filter { !inputs.paths.contains($0) })
        }
        let names = paths.map(Self.withoutDetours)
        let elsewhere = Set(names).subtracting(inputs.paths).map { String(decoding: $0, as: UTF8.self) }
            .filter { name in ![toolchain, productsPath, folder].contains { name.hasPrefix("\($0)/") } }
        guard !elsewhere.contains(where: { name in inputs.folders.contains { name.hasPrefix("\($0)/") } }) else {
            return nil
        }
        return Self.stamps(of: elsewhere)
    }

    /// The path without `.` and `..`. No link to a folder is among the inputs, so that it is the same file.
    private static func withoutDetours(_ path: [UInt8]) -> [UInt8] {
        var parts: [ArraySlice<UInt8>] = []
        for part in path.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    private static func stamps(of paths: some Sequence<String>) -> [String: String] {
        var stamps: [String: String] = [:]
        for path in paths { stamps[path] = FileStamp(path)?.description ?? "" }
        return stamps
    }
}
