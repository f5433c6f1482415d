import Foundation
import RunModel

/// The object files of the package's own targets, from the records of the build.
///
/// The folder is not searched, because objects of deleted sources stay there.
struct ObjectList: Sendable, Hashable {
    /// Absolute paths.
    private(set) var objects: [String] = []
    /// Own Swift targets without an object, or without that of a source, by manifest name; after the tests also those with another one.
    private(set) var modulesWithoutObjects: [String] = []
    /// The objects of each target as they were when they were listed.
    private var stamps: [Stamps] = []
    /// Own sources that have an object, relative to the package, each with the object. Generated ones are not among them.
    private var sources: [Source] = []

    private struct Source: Sendable, Hashable {
        var path: String
        var object: String
    }

    private struct Stamps: Sendable, Hashable {
        var module: String
        var objects: [String: FileStamp?]
    }

    /// What the objects describe.
    struct Maps: Sendable, Hashable {
        /// The objects that hold a coverage map.
        var mapped: Set<String> = []
        /// The number of functions; `nil` if it is unknown for an object.
        var functions: Int? = 0
    }

    /// Collects the objects of all targets but tests, or of the tests.
    ///
    /// - Parameters:
    ///   - packageRoot: The package's folder, in which the sources lie.
    ///   - productsPath: The folder with a `<module>.build` for every target.
    ///   - folder: Where the objects are if Swift Build has made them.
    init(
        modules: [Module], ofTests: Bool = false, packageRoot: String, productsPath: String, folder: BuiltFolder? = nil
    ) throws(RunnerError) {
        let maps: ObjectMaps? = if let folder { try folder.maps() } else { nil }
        for module in modules where module.isSwift && (ofTests ? module.kind == .test : Self.counts(module.kind)) {
            let map: [String: String]
            var isPart = false
            if let maps {
                map = maps.objects(of: module, packageRoot: packageRoot)
            } else {
                (map, isPart) = try Self.objects(of: module, packageRoot: packageRoot, productsPath)
            }
            let found = map.values.sorted { Name($0) < Name($1) }
            objects += found
            let stamped = found.map { ($0, FileStamp($0)) }
            stamps.append(
                Stamps(module: module.name, objects: Dictionary(stamped, uniquingKeysWith: { first, _ in first })))
            for path in module.sourcePaths {
                if let object = map["\(packageRoot)/\(path)"] { sources.append(Source(path: path, object: object)) }
            }
            // Snippets are not part of every build.
            if found.isEmpty || isPart, module.kind != .snippet { modulesWithoutObjects.append(module.name) }
        }
    }

    /// The same objects after the tests, without those that are gone. A target of which one is gone, or another than when it was listed, is
    /// one without objects: what became of its source no profile tells.
    ///
    /// The records of the build are not read again. Whoever removes a source from them must not remove it from the coverage, and
    /// `swift test` writes them again without compiling anything. So this costs one system call for each object.
    func afterTests() -> ObjectList {
        var changed: Set<Name> = []
        for entry in stamps {
            let isSame = entry.objects.allSatisfy { path, stamp in stamp != nil && FileStamp(path) == stamp }
            if !isSame { changed.insert(Name(entry.module)) }
        }
        guard !changed.isEmpty else { return self }
        changed.formUnion(modulesWithoutObjects.map { Name($0) })
        var list = self
        list.objects = objects.filter { FileManager.default.fileExists(atPath: $0) }
        list.modulesWithoutObjects = stamps.map(\.module).filter { changed.contains(Name($0)) }
        return list
    }

    /// Looks into the objects.
    func maps() throws(RunnerError) -> Maps {
        var maps = Maps()
        for object in objects {
            guard let map = try CoverageMap(ofObjectAt: object) else { continue }
            maps.mapped.insert(object)
            maps.functions = if let known = maps.functions, let more = map.functions { known + more } else { nil }
        }
        return maps
    }

    /// Own sources whose object is one of these, relative to the package.
    func sources(compiledTo mapped: Set<String>) -> [String] {
        sources.filter { mapped.contains($0.object) }.map(\.path)
    }

    private static func counts(_ kind: Module.Kind) -> Bool {
        switch kind {
        case .library, .executable, .macro, .snippet: true
        case .test, .plugin, .binary, .systemLibrary: false
        }
    }

    /// The existing objects, by source, and whether those of other sources are gone. SwiftPM links one for each source.
    private static func objects(
        of module: Module, packageRoot: String, _ productsPath: String
    ) throws(RunnerError) -> ([String: String], isPart: Bool) {
        // Macros are built for the host, beside the products for the target.
        for suffix in [".build", "-tool.build"] {
            let folder = "\(productsPath)/\(module.compilerName)\(suffix)"
            let path = "\(folder)/output-file-map.json"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let map = try onFileSystem("read", path) { try Data(contentsOf: URL(filePath: path)) }
            let named = try objects(in: map, path).merging(ofPlugins(folder)) { named, _ in named }
            let objects = named.filter { FileManager.default.fileExists(atPath: $0.value) }
            guard !objects.isEmpty else { continue }
            let isPart = module.sourcePaths.contains { path in
                let source = "\(packageRoot)/\(path)"
                return named[source] != nil && objects[source] == nil
            }
            return (objects, isPart)
        }
        return ([:], false)
    }

    /// The objects of sources that plugins generated: `swift test --skip-build` runs no plugins, and writes a map
    /// without them; the list of compiled files stays.
    private static func ofPlugins(_ folder: String) throws(RunnerError) -> [String: String] {
        let path = "\(folder)/sources"
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let list = try onFileSystem("read", path) { try String(contentsOf: URL(filePath: path), encoding: .utf8) }
        var objects: [String: String] = [:]
        for line in list.split(separator: "\n") where line.contains("/plugins/outputs/") {
            let source = line.trimmingCharacters(in: ["'", "\""])
            let name = (source as NSString).lastPathComponent
            objects[source] = "\(folder)/\(name).o"
        }
        return objects
    }

    /// The objects named in an `output-file-map.json`, by source.
    static func objects(in map: Data, _ path: String) throws(RunnerError) -> [String: String] {
        struct Entry: Decodable { var object: String? }
        let entries = try onFileSystem("read", path) { try JSONDecoder().decode([String: Entry].self, from: map) }
        return entries.compactMapValues(\.object)
    }

    /// The arguments for `llvm-cov`, one on each line, as a response file, because a command line may be too short.
    var responseFile: Data {
        let words = objects.enumerated().flatMap { $0.offset == 0 ? [$0.element] : ["-object", $0.element] }
        return ResponseFile.data(words)
    }
}

/// A response file with the arguments of an LLVM tool, one on each line.
enum ResponseFile {
    /// Quotes for LLVM's GNU-style reader of response files.
    static func data(_ words: [String]) -> Data {
        let quote = UInt8(ascii: "\"")
        let escape = UInt8(ascii: "\\")
        var bytes: [UInt8] = []
        for word in words {
            bytes.append(quote)
            for byte in word.utf8 {
                if byte == quote || byte == escape { bytes.append(escape) }
                bytes.append(byte)
            }
            bytes += [quote, UInt8(ascii: "\n")]
        }
        return Data(bytes)
    }
}
