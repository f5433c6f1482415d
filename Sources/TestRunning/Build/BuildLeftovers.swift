import Foundation
import RunModel

/// What an earlier build left in a scratch folder that a fresh clone would not have.
///
/// SwiftPM leaves the modules, programs and resources of targets and files that are gone
/// (https://github.com/swiftlang/swift-package-manager/issues/8426). So tests would pass here that cannot even be built elsewhere.
struct BuildLeftovers: Sendable, Hashable {
    private let productsPath: String, plannedPath: String
    private let scratchPath: String

    /// Prepares to remove what is left among the products of a build.
    init(products: ProductFolder, scratchPath: String) {
        (productsPath, plannedPath) = (products.path, products.plannedPath)
        self.scratchPath = scratchPath
    }

    /// The modules, programs and resources that are not in SwiftPM's plan, by their paths below the products; a folder comes
    /// behind what lies in it.
    func unplanned() -> [String] {
        // Other build systems have no such plan.
        guard let plan = FileManager.default.contents(atPath: "\(scratchPath)/debug.yaml") else { return [] }
        let planned = Self.paths(in: plan, below: plannedPath)
        return planned.isEmpty ? [] : candidates().filter { !isPlanned($0, planned) } + emptied(planned)
    }

    /// The folders among the resources in which nothing is planned: a test can ask whether a folder exists.
    private func emptied(_ planned: Set<[UInt8]>) -> [String] {
        var kept: Set<ArraySlice<UInt8>> = []
        for path in planned {
            for end in path.indices where path[end] == UInt8(ascii: "/") { kept.insert(path[..<end]) }
        }
        return names(in: "").filter { $0.hasSuffix(".resources") }.flatMap { bundle in
            (FolderListing("\(productsPath)/\(bundle)")?.folders ?? []).reversed()
                .map { "\(bundle)/\(String(decoding: $0, as: UTF8.self))" }
                .filter { !kept.contains(Array($0.utf8)[...]) && !isPlanned($0, planned) }
        }
    }

    /// Whether a file, or a folder that it lies in, is planned.
    private func isPlanned(_ path: String, _ planned: Set<[UInt8]>) -> Bool {
        let bytes = Array(path.utf8)
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
                if info.st_mode & S_IFMT == S_IFREG {
                    return info.st_mode & S_IXUSR == 0 && !Self.isLibrary(name) ? [] : [name]
                }
                guard name.hasSuffix(".resources") else { return [] }
                let all = FolderListing("\(productsPath)/\(name)")?.files ?? []
                return all.map { "\(name)/\(String(decoding: $0.path, as: UTF8.self))" }
            }
    }

    /// Whether a linker may find something of this name.
    static func isLibrary(_ name: String) -> Bool { name.hasSuffix(".a") || name.hasSuffix(".so") }

    private func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(productsPath)/\(folder)")) ?? []).sorted()
    }

    /// The quoted paths in a plan that lie in a folder, relative to it.
    private static func paths(in plan: Data, below folder: String) -> Set<[UInt8]> {
        let prefix = Array("\(folder)/".utf8)
        return plan.withUnsafeBytes { plan in
            var paths: Set<[UInt8]> = []
            var parts = plan.split(separator: UInt8(ascii: "\""))[...]
            while let part = parts.popFirst() {
                guard part.starts(with: prefix) else { continue }
                var text = Array(part)
                // A quote that is a part of the name.
                while Self.endsEscaping(text), let more = parts.popFirst() { text += [UInt8(ascii: "\"")] + more }
                paths.insert(Array(Self.plain(text).dropFirst(prefix.count)))
            }
            return paths
        }
    }

    private static func endsEscaping(_ text: [UInt8]) -> Bool {
        text.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
    }

    /// A quoted text as it was before it was escaped.
    private static func plain(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "\\")) else { return text }
        let quoted = Data([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
        return (try? JSONDecoder().decode(String.self, from: quoted)).map { Array($0.utf8) } ?? text
    }
}
