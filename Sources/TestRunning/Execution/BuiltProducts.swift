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
    /// Version 4 is the first of builds that are proven to be what a clean one makes.
    static let currentVersion = 4

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
        let paths = Set(inputs.keys).union(wanted.inputs.keys).sorted { Name($0) < Name($1) }
        for path in paths where inputs[path] != wanted.inputs[path] {
            if wanted.inputs[path] == nil { return "\(path) does not exist any more" }
            return inputs[path] == nil ? "\(path) was not there" : "\(path) is another"
        }
        return testBinary == wanted.testBinary ? nil : "the test binary has changed since the build"
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
