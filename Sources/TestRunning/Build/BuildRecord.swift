import Foundation
import RunModel

/// What the last build in a scratch folder read and wrote: if nothing of it has changed, no build is needed.
///
/// `swift build` takes half a second or more to find that out, because it plans the whole build again. The record
/// compares the same as SwiftPM: the inputs of SwiftPM's answers (see `PackageKey`), the files of the package's
/// targets and of its dependencies, other files that a compiler has read, and everything that was built; each by its
/// stamp, not by its content. Headers outside of these folders that only Swift imports are not compared: no compiler
/// names them, and SwiftPM does not compare them either. In case of doubt `swift build` runs.
struct BuildRecord: Sendable {
    /// The name of the record in the scratch folder.
    static let fileName = "kanmon-build.json"
    /// The version of the record; a record of another version is ignored.
    private static let version = 2

    /// The folders of dependencies in the scratch folder.
    static let fetched = ["artifacts", "checkouts", "prebuilts", "registry"]

    /// The inputs of a build, as far as known before it.
    struct Inputs: Sendable, Hashable {
        /// All of it as one hash.
        fileprivate var hash: String
        /// The newest change of a file, in nanoseconds since 1970, and the newest among files whose file system seems
        /// to count in whole seconds.
        fileprivate var lastChange: Int64
        fileprivate var lastCoarseChange: Int64

        /// Whether a change of a file after the build would have a later time than its last one. Some file systems
        /// count in steps of up to two seconds, all others in milliseconds.
        fileprivate func isSettled(_ begin: Int64, _ end: Int64) -> Bool {
            begin - lastCoarseChange > 2_000_000_000 && end - lastChange > 20_000_000
        }
    }

    private struct Record: Codable {
        var version = BuildRecord.version
        /// The hash of the inputs.
        var inputs: String
        /// Other files that compilers read, by path: the stamp, empty if there is no such file.
        var elsewhere: [String: String]
        /// The hash of what was built.
        var products: String
    }

    /// A folder with everything in it, or a file, of which only the stamp counts.
    private struct Place {
        var path: String
        var listing: FolderListing?
        var stamp: FileStamp?
    }

    private let key: PackageKey
    private let targets: [String]
    private let scratchPath: String
    private let productsLink: String

    /// Makes a record for a build.
    init(_ invocation: TestInvocation, _ modules: [Module]) {
        key = PackageKey(packageRoot: invocation.packageRoot, command: invocation.build)
        targets = modules.map { "\(invocation.packageRoot)/\($0.path)" }
        scratchPath = invocation.scratchPath
        productsLink = invocation.productsPath
    }

    /// The current inputs of a build; `nil` if they are unknown without building.
    func inputs() -> Inputs? { places().flatMap(inputs) }

    /// Whether a build of these inputs would find nothing to do.
    func isUpToDate(_ inputs: Inputs) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: path),
            let record = try? JSONDecoder().decode(Record.self, from: bytes), record.version == Self.version
        else { return false }
        return record.inputs == inputs.hash
            && record.elsewhere.allSatisfy { $0.value == FileStamp($0.key)?.description ?? "" }
            && products().map(Self.hash) == record.products
    }

    /// Removes the record, because the next build may fail halfway.
    func forget() throws(RunnerError) { try removeIfPresent(path) }

    /// Records the inputs and products of a successful build, unless they are uncertain.
    ///
    /// - Parameters:
    ///   - inputs: The inputs before the build, because later changes were perhaps not read.
    ///   - begin: When the build began, in nanoseconds since 1970.
    ///   - end: When it ended.
    func remember(_ inputs: Inputs, from begin: Int64, until end: Int64) {
        guard inputs.isSettled(begin, end), !runsPlugins, let places = places(),
            self.inputs(places) == inputs, let products = products(), let read = readElsewhere(products, than: places)
        else { return }
        var elsewhere: [String: String] = [:]
        for path in read {
            let stamp = FileStamp(path)
            // A file that changed since the build began was perhaps read before the change.
            if let stamp, stamp.changed >= begin { return }
            elsewhere[path] = stamp?.description ?? ""
        }
        let record = Record(inputs: inputs.hash, elsewhere: elsewhere, products: Self.hash(products))
        guard let bytes = try? JSONEncoder().encode(record) else { return }
        try? bytes.write(to: URL(filePath: path), options: .atomic)
    }

    private var path: String { "\(scratchPath)/\(Self.fileName)" }

    /// The folder of the products; it exists only after the first build.
    private var productsPath: String { realPath(productsLink) ?? productsLink }

    /// The folders that a build reads; `nil` if one cannot be listed, or a dependency can change unnoticed.
    private func places() -> [Place]? {
        guard let local = ResolvedVersions.localPackages(scratchPath: scratchPath) else { return nil }
        let fetched = Self.fetched.map { "\(scratchPath)/\($0)" }
        var places: [Place] = []
        for path in targets + local + fetched + settings() + pkgConfig() {
            var info = stat()
            // SwiftPM makes folders that may stay empty; a missing one counts like an empty one.
            guard stat(path, &info) == 0 else { continue }
            guard info.st_mode & S_IFMT == S_IFDIR else {
                places.append(Place(path: path, stamp: FileStamp(info)))
                continue
            }
            // Hidden files may be resources.
            guard let listing = FolderListing(path, stamped: true, skipping: FolderListing.isNoSource) else {
                return nil
            }
            if !listing.isEmpty { places.append(Place(path: path, listing: listing)) }
        }
        return places
    }

    private func inputs(_ places: [Place]) -> Inputs? {
        guard let question = key.digest() else { return nil }
        var hash = PiecewiseHash()
        hash.add(question.utf8)
        var inputs = Inputs(hash: "", lastChange: 0, lastCoarseChange: 0)
        for place in places {
            hash.add(place.path.utf8)
            hash.add(place.stamp?.bytes)
            if let listing = place.listing { hash.add(listing) }
            let stamps = (place.listing?.files.map(\.stamp) ?? []) + [place.stamp]
            for change in stamps.compactMap({ $0?.changed }) {
                inputs.lastChange = max(inputs.lastChange, change)
                if change % 1_000_000_000 == 0 { inputs.lastCoarseChange = max(inputs.lastCoarseChange, change) }
            }
        }
        inputs.hash = hash.hexadecimal
        return inputs
    }

    /// The settings of mirrors and registries, for the package and for the user.
    private func settings() -> [String] {
        let variables = key.command.environment
        let everybody = variables["XDG_CONFIG_HOME"].map { "\($0)/swiftpm" } ?? "\(variables["HOME"] ?? "")/.swiftpm"
        return ["\(key.packageRoot)/.swiftpm", everybody].map { "\($0)/configuration" }
            + (variables["SWIFTPM_MIRROR_CONFIG"].map { [$0] } ?? [])
    }

    /// The folders of pkg-config files: their flags are part of the build, and no compiler names these files.
    private func pkgConfig() -> [String] {
        let variables = key.command.environment
        let named = ["PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR"].flatMap { name in
            (variables[name] ?? "").split(separator: ":").map(String.init)
        }
        // Every pkg-config searches at least beside its own folder.
        let programs = (variables["PATH"] ?? "").split(separator: ":").map(String.init)
        let prefixes = Set(programs.map { ($0 as NSString).deletingLastPathComponent } + ["/usr", "/usr/local"])
        let inner = prefixes.sorted().flatMap { prefix in
            // Debian has a folder for each kind of machine.
            let machines = (try? FileManager.default.contentsOfDirectory(atPath: "\(prefix)/lib")) ?? []
            return machines.filter { $0.contains("-linux-") }.sorted().map { "\(prefix)/lib/\($0)" }
                + ["lib", "lib64", "share"].map { "\(prefix)/\($0)" }
        }
        return named + inner.map { "\($0)/pkgconfig" }
    }

    /// Whether plugins generate sources in this build, because plugins may read any file.
    private var runsPlugins: Bool {
        // The folder of their outputs stays after a plugin is removed, but the plan names what is compiled.
        guard let plan = FileManager.default.contents(atPath: "\(scratchPath)/debug.yaml") else { return true }
        let outputs = Array("/plugins/outputs/".utf8)
        return plan.withUnsafeBytes { plan in
            plan.indices.contains { plan[$0] == outputs[0] && plan[$0...].starts(with: outputs) }
        }
    }

    /// The products. Plans are left out, because `swift test` writes them without building, and so is what no test
    /// needs.
    private func products() -> FolderListing? {
        FolderListing(productsPath, stamped: true) { path in
            let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            switch parts.count {
            case 1: return Self.besideProducts.contains { parts[0].elementsEqual($0.utf8) }
            case 2: return parts[0].suffix(6).elementsEqual(".build".utf8) && parts[1].elementsEqual(Self.plan.utf8)
            default: return false
            }
        }
    }

    private static let plan = "output-file-map.json"
    private static let besideProducts = [
        "ModuleCache", "codecov", "description.json", "index", "plugin-tools-description.json",
    ]

    private static func hash(_ listing: FolderListing) -> String {
        var hash = PiecewiseHash()
        hash.add(listing)
        return hash.hexadecimal
    }

    /// Files that compilers read and that are neither inputs nor products; `nil` if a compiler did not list them.
    private func readElsewhere(_ products: FolderListing, than places: [Place]) -> Set<String>? {
        let (made, folder) = (Set(products.files.map(\.path)), productsPath)
        var known: Set<[UInt8]> = []
        for place in places {
            known.insert(Array(place.path.utf8))
            let prefix = Array("\(place.path)/".utf8)
            for file in place.listing?.files ?? [] { known.insert(prefix + file.path) }
        }
        let compiled = made.filter { Self.isCompiled($0) }
        // The layout of another build system is unknown.
        guard !compiled.isEmpty, compiled.allSatisfy({ made.contains(Self.dependencyFile(ofObject: $0)) }) else {
            return nil
        }
        var paths: Set<[UInt8]> = []
        for path in made where Self.isBesideObjects(path, ".d") {
            let name = "\(folder)/\(String(decoding: path, as: UTF8.self))"
            guard let bytes = FileManager.default.contents(atPath: name),
                let read = DependencyFile.paths(in: Array(bytes))
            else { return nil }
            paths.formUnion(read.filter { !known.contains($0) })
        }
        var elsewhere: Set<String> = []
        for path in paths {
            guard let name = String(validating: path, as: UTF8.self) else { return nil }
            // Compilers write paths with `..` and links.
            let isProduct = name.hasPrefix("\(folder)/") || realPath(name)?.hasPrefix("\(folder)/") == true
            if !isProduct { elsewhere.insert(name) }
        }
        return elsewhere
    }

    private static func isBesideObjects(_ path: [UInt8], _ suffix: String) -> Bool {
        let folder = path.prefix { $0 != UInt8(ascii: "/") }
        return folder.suffix(6).elementsEqual(".build".utf8)
            && path.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Whether a compiler made it from sources; the wrapper of a module for the debugger is made from the module:
    /// `M.swiftmodule.o`, and `M.build/M.o` beside an executable of tools before 5.5.
    private static func isCompiled(_ path: [UInt8]) -> Bool {
        let (folder, name) = (path.prefix { $0 != UInt8(ascii: "/") }.dropLast(6), path.lastComponent)
        return isBesideObjects(path, ".o") && !isBesideObjects(path, ".swiftmodule.o")
            && !name.elementsEqual(folder + Array(".o".utf8))
    }

    /// The file with the dependencies of an object: `A.d` beside `A.swift.o`, `a.c.d` beside `a.c.o`.
    private static func dependencyFile(ofObject path: [UInt8]) -> [UInt8] {
        let base = path.dropLast(2)
        let source = base.suffix(6).elementsEqual(".swift".utf8) ? base.dropLast(6) : base
        return Array(source) + ".d".utf8
    }
}
