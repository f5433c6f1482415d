import Cryptography
import Foundation
import RunModel

/// What a build was made of and what it left: by this a run elsewhere knows that the products in its scratch folder are
/// those of its own tree.
///
/// A binary holds absolute paths, of its sources and of the toolchain's libraries: it works at the same places only.
struct BuiltProducts: Sendable, Hashable, Codable {
    /// The name of the record in the scratch folder.
    static let fileName = "kanmon-products.json"
    /// The version of the record that this build writes and reads: another one, too, where products are compiled another way.
    static let currentVersion = 5

    /// The version of this record.
    var version = Self.currentVersion
    /// The package's folder.
    var packageRoot: String
    /// The folder for build products.
    var scratchPath: String
    /// The absolute path of `swift`.
    var swift: String
    /// Which compiler it is.
    var toolchain: Toolchain
    /// The tree of the commit that was built.
    var tree: String
    /// The SHA-256 of every file that the build could read, by path; also of those that git ignores.
    var inputs: [String: String]
    /// The SHA-256 of the binary with all tests.
    var testBinary: String
    /// The SHA-256 of what tests start or open beside it, by path relative to its folder: programs, libraries, bundles of resources.
    var products: [String: String] = [:]

    /// Why products of this record are not those that a run wants; `nil` when they are.
    func difference(from wanted: BuiltProducts) -> String? {
        if version != wanted.version { return "their record has the version \(version)" }
        if packageRoot != wanted.packageRoot { return "they were built in \(packageRoot), and contain this path" }
        if scratchPath != wanted.scratchPath { return "they were built into \(scratchPath), and contain this path" }
        if swift != wanted.swift { return "they were built by \(swift), whose libraries they load" }
        if toolchain.build != wanted.toolchain.build {
            let words = toolchain.build.map { "with \($0.arguments.joined(separator: " "))" }
            return "they were built \(words ?? "as SwiftPM does by itself")"
        }
        if toolchain != wanted.toolchain {
            return "they were built by \(toolchain.swiftVersion) for \(toolchain.target)"
        }
        if tree != wanted.tree {
            return "they were built of the tree \(tree.prefix(12)), this is \(wanted.tree.prefix(12))"
        }
        if let difference = Self.difference(inputs, wanted.inputs) { return difference }
        if testBinary != wanted.testBinary { return "the test binary has changed since the build" }
        return Self.difference(products, wanted.products)
    }

    private static func difference(_ files: [String: String], _ wanted: [String: String]) -> String? {
        let paths = Set(files.keys).union(wanted.keys).sorted { Name($0) < Name($1) }
        guard let path = paths.first(where: { files[$0] != wanted[$0] }) else { return nil }
        if wanted[path] == nil { return "\(path) does not exist any more" }
        return files[path] == nil ? "\(path) was not there" : "\(path) is another"
    }
}

extension BuiltProducts {
    /// Reads the record of a scratch folder; `nil` when there is none, or it cannot be read.
    static func read(in scratchPath: String) -> BuiltProducts? {
        FileManager.default.contents(atPath: "\(scratchPath)/\(fileName)")
            .flatMap { try? JSONDecoder().decode(BuiltProducts.self, from: $0) }
    }

    /// Writes the record into its scratch folder.
    func write() throws(RunnerError) {
        let path = "\(scratchPath)/\(Self.fileName)"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try onFileSystem("write", path) { try encoder.encode(self).write(to: URL(filePath: path), options: .atomic) }
    }

    /// The SHA-256 of a file; of a link that leads to no file, that of its target.
    static func hash(of path: String) throws(RunnerError) -> String {
        let bytes = try onFileSystem("read", path) {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                return Data(try FileManager.default.destinationOfSymbolicLink(atPath: path).utf8)
            }
            return try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        }
        return SHA256.hash(bytes).hexadecimal
    }

    /// What tests start or open in a folder of products, without the test binary itself.
    static func products(in folder: String) throws(RunnerError) -> [String: String] {
        let names = try onFileSystem("list", folder) { try FileManager.default.contentsOfDirectory(atPath: folder) }
        var hashes: [String: String] = [:]
        for name in names where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                guard name.hasSuffix(".resources") else { continue }
                for file in try contents(of: name, in: folder) { hashes[file] = try hash(of: "\(folder)/\(file)") }
            } else if FileManager.default.isExecutableFile(atPath: path), !name.hasSuffix(".xctest") {
                hashes[name] = try hash(of: path)
            }
        }
        return hashes
    }

    /// What a build of the package reads: manifests, the folders of its targets, and packages beside it.
    ///
    /// Pinned versions are none of it. Those of the commit are part of its tree; where it has none, the build writes them on
    /// the machine that builds, and no other machine has them.
    static func inputs(of package: PackageDescription, in root: String) throws(RunnerError) -> [String: String] {
        var files = (try onFileSystem("list", root) { try FileManager.default.contentsOfDirectory(atPath: root) })
            .filter { $0.hasPrefix("Package") && $0.hasSuffix(".swift") }
        for module in package.modules { files += try contents(of: module, in: root) }
        var hashes: [String: String] = [:]
        for file in files where file != ResolvedFile.fileName { hashes[file] = try hash(of: "\(root)/\(file)") }
        for dependency in package.localDependencies {
            for file in try contents(of: ".", in: dependency) {
                hashes["\(dependency)/\(file)"] = try hash(of: "\(dependency)/\(file)")
            }
        }
        return hashes
    }

    /// The files of a target.
    ///
    /// A binary one can be a single file. One that is fetched does not lie in the package: its checksum is in the manifest.
    private static func contents(of module: Module, in root: String) throws(RunnerError) -> [String] {
        guard module.kind == .binary else { return try contents(of: module.path, in: root) }
        var info = stat()
        guard stat("\(root)/\(module.path)", &info) == 0 else { return [] }
        return info.st_mode & S_IFMT == S_IFDIR ? try contents(of: module.path, in: root) : [module.path]
    }

    /// Every file below a folder, relative to the root; what begins with a dot is no source.
    private static func contents(of folder: String, in root: String) throws(RunnerError) -> [String] {
        let start = folder == "." ? root : "\(root)/\(folder)"
        var found: [String] = []
        for name in try onFileSystem("list", start, { try FileManager.default.contentsOfDirectory(atPath: start) })
        where !name.hasPrefix(".") {
            let path = folder == "." ? name : "\(folder)/\(name)"
            var info = stat()
            guard lstat("\(root)/\(path)", &info) == 0 else { continue }
            if info.st_mode & S_IFMT == S_IFDIR {
                found += try contents(of: path, in: root)
            } else {
                found.append(path)
            }
        }
        return found
    }
}
