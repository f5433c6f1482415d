import Foundation
import RunModel

/// What SwiftPM built, as it lies in the folder of the products: for each module a folder `M.build` with objects, and what the
/// compiler read beside them.
struct ProductFolder: Sendable, Hashable {
    /// The folder with links resolved, and as SwiftPM writes it into its plan.
    private(set) var path: String
    let plannedPath: String
    /// The folder as it was when it was built.
    private let builtPath: String
    /// The folder in which compilers run.
    private let packageRoot: String
    /// The folder that SwiftPM gives to plugins.
    private let generatedPath: String
    private let scratchPath: String

    /// Finds the folder; it need not exist, but only the first build makes the link to it.
    init(_ invocation: TestInvocation) {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: invocation.productsPath)
        plannedPath =
            target.map { $0.hasPrefix("/") ? $0 : "\(invocation.scratchPath)/\($0)" } ?? invocation.productsPath
        path = realPath(plannedPath) ?? plannedPath
        builtPath = path
        packageRoot = invocation.packageRoot
        scratchPath = invocation.scratchPath
        generatedPath = "\(scratchPath)/plugins/outputs"
    }

    /// The same products at another place.
    func moved(to path: String) -> ProductFolder {
        var copy = self
        copy.path = path
        return copy
    }

    /// An object file, or something else that a compiler made.
    struct Product: Sendable, Hashable {
        /// Relative to the folder.
        var path: [UInt8]
        var stamp: FileStamp?

        /// When it was written, by the earlier of its times: who changes a file afterwards makes it no newer.
        var written: Int64 { stamp.map { min($0.modified, $0.changed) } ?? 0 }
    }

    /// What was compiled of one module.
    struct Unit: Sendable, Hashable {
        /// The name of its folder, `M.build`; `M-tool.build` for macros and plugins.
        var folder: String
        /// All files in it.
        var products: [Product]

        /// The module's name, with `-tool` for macros and plugins.
        var name: String { String(folder.dropLast(Self.suffix.count)) }
        /// Whether the compiler of Swift made it.
        var isSwift: Bool { products.contains { $0.path.hasSuffix("/output-file-map.json") } }
        /// Whether a compiler of C made anything of it.
        var isC: Bool { !isSwift && products.contains { $0.path.hasSuffix(".o") } }
        /// What a compiler made of sources. The wrapper of a module for the debugger is made of the module: `M.swiftmodule.o`, and
        /// `M.o` beside an executable of tools before 5.5.
        var objects: [Product] {
            products.filter {
                $0.path.hasSuffix(".o") && !$0.path.hasSuffix(".swiftmodule.o")
                    && !(isSwift && $0.path.hasSuffix("/\(name).o"))
            }
        }
        /// The module, relative to the products.
        var module: String {
            name.hasSuffix("-tool")
                ? "Modules-tool/\(name.dropLast(5)).swiftmodule" : "Modules/\(name).swiftmodule"
        }

        static let suffix = ".build"
    }

    /// Everything that was built, with stamps; `nil` if there is nothing of the kind.
    func listing() -> FolderListing? {
        FolderListing(path, stamped: true, leadsOutside: true) { path in
            Self.besideProducts.contains { path.elementsEqual($0.utf8) }
        }
    }

    private static let besideProducts = [
        "ModuleCache", "codecov", "description.json", "index", "plugin-tools-description.json",
    ]

    /// A hash of the stamps of each part of a listing: of what was compiled of a module, of its module files, of a program, of a bundle.
    func parts(of listing: FolderListing) -> [Name: String] {
        var parts: [[UInt8]: PiecewiseHash] = [:]
        for file in listing.files {
            let steps = file.path.split(separator: UInt8(ascii: "/"))
            // `swift test` writes plans without building.
            if steps.count == 2, Self.planned.contains(where: { steps[1].elementsEqual($0.utf8) }) { continue }
            var part = Array(steps[0])
            if steps.count == 2, Self.moduleFolders.contains(where: { steps[0].elementsEqual($0.utf8) }) {
                part += [UInt8(ascii: "/")] + steps[1].prefix { $0 != UInt8(ascii: ".") }
            }
            parts[part, default: PiecewiseHash()].add(file.path)
            parts[part]?.add(file.target)
            parts[part]?.add(file.stamp?.bytes)
        }
        return Dictionary(
            parts.map { (Name(String(decoding: $0.key, as: UTF8.self)), $0.value.hexadecimal) },
            uniquingKeysWith: { first, _ in first })
    }

    private static let planned = ["output-file-map.json", "sources"]
    private static let moduleFolders = ["Modules", "Modules-tool"]

    /// Removes a part, and with files of a module all that was compiled of it.
    func remove(part: Name, in listing: FolderListing) throws(RunnerError) {
        let steps = part.text.split(separator: "/")
        if steps.count == 2 {
            let files = listing.files.map { String(decoding: $0.path, as: UTF8.self) }
            try remove(files.filter { $0 == part.text || $0.hasPrefix(part.text + ".") })
            try remove(["\(steps[1])\(steps[0] == "Modules" ? "" : "-tool")\(Unit.suffix)"])
        } else if part.text.hasSuffix(Unit.suffix) {
            try remove(Unit(folder: part.text, products: []))
        } else {
            try remove([part.text])
        }
    }

    /// The modules in a listing, by the names of their folders.
    func units(in listing: FolderListing) -> [Unit] {
        var products: [[UInt8]: [Product]] = [:]
        for file in listing.files {
            let folder = file.path.prefix { $0 != UInt8(ascii: "/") }
            guard folder.count < file.path.count, folder.hasSuffix(Unit.suffix) else { continue }
            products[Array(folder), default: []].append(Product(path: file.path, stamp: file.stamp))
        }
        return products.map { Unit(folder: String(decoding: $0.key, as: UTF8.self), products: $0.value) }
            .sorted { Name($0.folder) < Name($1.folder) }
    }

    /// What the compiler of Swift read for a module, or that of C for each of its objects; empty for an object of which nobody knows.
    ///
    /// The rules of the whole module name what all of its sources import.
    func reads(of unit: Unit) -> [(object: Product?, files: [[UInt8]])] {
        let known = Set(unit.products.map(\.path))
        guard unit.isSwift else {
            return unit.objects.map { object in
                (object, dependencies(in: Array(object.path.dropLast(2)) + Array(".d".utf8)))
            }
        }
        let whole =
            Array("\(unit.folder)/\(unit.name.hasSuffix("-tool") ? String(unit.name.dropLast(5)) : unit.name)".utf8)
            + Array(".emit-module.d".utf8)
        let rules = known.contains(whole) ? [whole] : unit.products.map(\.path).filter { $0.hasSuffix(".d") }
        return [(nil, Array(Set(rules.flatMap { dependencies(in: $0) })))]
    }

    private func dependencies(in file: [UInt8]) -> [[UInt8]] {
        let path = "\(path)/\(String(decoding: file, as: UTF8.self))"
        guard let text = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else { return [] }
        return text.withUnsafeBytes { DependencyFile.prerequisites(in: $0, relativeTo: packageRoot) }
    }

    /// The path relative to the folder; `nil` for one that is not in it.
    func relative(_ file: [UInt8]) -> [UInt8]? {
        for folder in [builtPath, plannedPath] {
            let prefix = "\(folder)/".utf8
            if file.starts(with: prefix) { return Array(file.dropFirst(prefix.count)) }
        }
        return nil
    }

    /// The path as it is in SwiftPM's plan.
    func planned(_ file: String) -> [UInt8] { Array("\(plannedPath)/\(file)".utf8) }

    /// Removes files or folders, by their paths relative to the folder.
    func remove(_ files: some Sequence<String>) throws(RunnerError) {
        for file in files { try removeIfPresent("\(path)/\(file)") }
    }

    /// Removes all that a compiler made of a module.
    func remove(_ unit: Unit) throws(RunnerError) { try remove([unit.folder, unit.module]) }

    /// Removes all that plugins and their commands have left in the folder that SwiftPM gives them, also what no plan names. SwiftPM asks
    /// plugins in every build.
    func removeGenerated() throws(RunnerError) { try removeIfPresent(generatedPath) }

    /// Removes what lies beside the folder, where builds make nothing: tests that look one folder too high for their files leave some.
    func removeBeside() throws(RunnerError) {
        let place = (path as NSString).deletingLastPathComponent
        // A folder of the build's own, such as `x86_64-unknown-linux-gnu`, and none that is anybody else's.
        guard place.hasPrefix("\(realPath(scratchPath) ?? scratchPath)/") else { return }
        let own = Name((path as NSString).lastPathComponent)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for name in names where Name(name) != own { try removeIfPresent("\(place)/\(name)") }
    }

    /// Removes every program and library that was linked.
    func removeLinked(in listing: FolderListing) throws(RunnerError) {
        let linked = listing.files.filter { !$0.path.contains(UInt8(ascii: "/")) }.map { file in
            String(decoding: file.path, as: UTF8.self)
        }
        try remove(linked.filter { access("\(path)/\($0)", X_OK) == 0 })
    }
}

extension Collection<UInt8> {
    /// Whether the bytes end with those of a text.
    func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
