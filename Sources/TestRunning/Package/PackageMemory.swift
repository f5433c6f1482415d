import Crypto
import Foundation
import RunModel

/// What SwiftPM said of a package, kept in its scratch folder as long as nothing that it looked at is another.
///
/// Asking takes a fifth of a second, and the answer hangs on names: of what lies in the package's folder, of variables, of
/// programs. Of what is in the files only the manifests count, and the versions that are pinned.
struct PackageMemory: Sendable {
    /// The name of the record in the scratch folder.
    static let fileName = "kanmon-description.json"

    private struct Record: Codable {
        var key: String
        var answer: Data
    }

    private let path: String
    private let command: ChildCommand
    private let packageRoot: String

    /// - Parameter command: What asks SwiftPM.
    init(scratchPath: String, packageRoot: String, command: ChildCommand) {
        path = "\(scratchPath)/\(Self.fileName)"
        self.packageRoot = packageRoot
        self.command = command
    }

    /// What the answer hangs on, as one hash; `nil` where that cannot be told without asking.
    func key() -> String? {
        let folder = (command.executable as NSString).deletingLastPathComponent
        guard let programs = ToolchainMemory.programs(of: command.executable, in: folder),
            let names = PackageListing(folder: packageRoot)
        else { return nil }
        var hash = SHA256()
        func add(_ bytes: some Sequence<UInt8>) {
            let bytes = Array(bytes)
            hash.update(data: Array("\(bytes.count)\n".utf8))
            hash.update(data: bytes)
        }
        for text in programs + command.words { add(text.utf8) }
        let variables = command.environment.map { "\($0.key)=\($0.value)" }
        for text in variables.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { add(text.utf8) }
        for entry in names.entries { add(entry) }
        for name in names.manifests {
            guard let bytes = FileManager.default.contents(atPath: "\(packageRoot)/\(name)"),
                name == PackageListing.resolved || Self.hangsOnItselfOnly(bytes)
            else { return nil }
            add(name.utf8)
            add(bytes)
        }
        return hash.finalize().hexadecimal
    }

    /// The answer to that key.
    func recall(_ key: String) -> PackageDescription? {
        guard let bytes = FileManager.default.contents(atPath: path),
            let record = try? JSONDecoder().decode(Record.self, from: bytes), record.key == key
        else { return nil }
        return try? PackageDescription(json: record.answer)
    }

    /// Keeps an answer; where that cannot be done, SwiftPM is asked again the next time.
    ///
    /// - Parameter key: What it was before asking: what changed meanwhile belongs to no answer.
    func remember(_ answer: Data, _ description: PackageDescription, key: String) {
        // Of a folder whose name begins with a dot nothing was listed.
        let isListed = description.modules.allSatisfy { module in
            !module.path.split(separator: "/").contains { $0.hasPrefix(".") && $0 != "." }
        }
        guard isListed, self.key() == key, let bytes = try? JSONEncoder().encode(Record(key: key, answer: answer))
        else { return }
        try? bytes.write(to: URL(filePath: path), options: .atomic)
    }

    /// Whether a manifest can look at nothing but its own text and the variables: it imports nothing that reads files or
    /// asks git. A word too many in a comment costs a question, and nothing else.
    private static func hangsOnItselfOnly(_ manifest: Data) -> Bool {
        let text = String(decoding: manifest, as: UTF8.self)
        guard !text.contains("gitInformation") else { return false }
        return text.split(whereSeparator: \.isNewline).allSatisfy { line in
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            return words.indices.allSatisfy { index in
                words[index] != "import"
                    || words.dropFirst(index + 1).first.map { harmless.contains(String($0)) } == true
            }
        }
    }

    private static let harmless: Set = ["PackageDescription", "CompilerPluginSupport"]
}

/// The names of what lies in a package's folder, as SwiftPM finds sources by them, without hidden things and a stray profile.
struct PackageListing: Sendable, Hashable {
    /// The name of the file that pins versions.
    static let resolved = "Package.resolved"
    /// More than any package has; a folder with more is something else.
    private static let most = 50_000

    /// Relative paths with their kinds, in order.
    private(set) var entries: [[UInt8]] = []
    /// The manifests, and the file that pins versions.
    private(set) var manifests: [String] = []

    /// Lists a folder; `nil` where it cannot be read, is too large, or a link leads to a folder of which nothing is listed.
    init?(folder: String) {
        guard list(folder, prefix: []) else { return nil }
        manifests.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func list(_ folder: String, prefix: [UInt8]) -> Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        var found: [(name: [UInt8], kind: Int)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // What tests that `swift test` ran drop into the folder comes and goes, and is no source.
            if prefix.isEmpty, name.elementsEqual(StrayProfile.fileName.utf8) { continue }
            if name.first != UInt8(ascii: ".") { found.append((name, Int(entry.pointee.d_type))) }
        }
        for (name, kind) in found.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            guard entries.count < Self.most, let text = String(validating: name, as: UTF8.self) else { return false }
            entries.append(prefix + name + [0, UInt8(truncatingIfNeeded: kind)])
            let path = "\(folder)/\(text)"
            switch kind {
            case Int(DT_DIR):
                guard list(path, prefix: prefix + name + [UInt8(ascii: "/")]) else { return false }
            case Int(DT_REG):
                if prefix.isEmpty, text == Self.resolved || text.hasPrefix("Package") && text.hasSuffix(".swift") {
                    manifests.append(text)
                }
            default:
                // A link, or a file system that does not tell kinds.
                var info = stat()
                guard kind == Int(DT_LNK), stat(path, &info) != 0 || info.st_mode & S_IFMT == S_IFREG,
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
                else { return false }
                entries.append(Array(target.utf8))
                // Its content counts, wherever it lies.
                if prefix.isEmpty, text.hasPrefix("Package") { manifests.append(text) }
            }
        }
        return true
    }
}
