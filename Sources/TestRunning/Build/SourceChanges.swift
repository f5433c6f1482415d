import Foundation
import RunModel

/// Which products may have been made of the content that files had before, and are to be made again.
struct SourceChanges {
    private let sources: [SourceContents.Change]
    private let others: [SourceContents.Change]
    /// Whether anything is another, be it a source that SwiftPM sees changing.
    private let isAnything: Bool
    private let own: [String]
    private let toolchain: ToolchainFiles
    private let products: ProductFolder
    private let plan: BuildPlan?
    private let time: Int64
    /// The paths of all that is another, as they are and with links resolved.
    private let changed: Set<[UInt8]>
    /// The links to folders, with a slash.
    private let links: [[UInt8]]
    /// The names of files that were not there: one is read instead of another of its name, if its folder is searched first.
    private let newNames: Set<[UInt8]>
    /// Whether a file is another by which a compiler of Swift finds out which modules there are. What it looked for in vain it does not
    /// name.
    private let tellsModules: Bool

    private static let moduleNames = ["module.modulemap", "module.map", "module.private.modulemap"]
    private static let moduleSuffixes = [".swiftmodule", ".swiftinterface", ".swiftoverlay", ".apinotes"]

    /// - Parameters:
    ///   - own: The folders of the package and of local packages.
    ///   - toolchain: Nobody changes its files.
    ///   - time: What was compiled later knows the new content, by the clock of files.
    init(
        _ changes: [SourceContents.Change], own: [String], toolchain: ToolchainFiles, products: ProductFolder,
        plan: BuildPlan?,
        before time: Int64 = .max
    ) {
        // What a source means to its module, and that one is new or gone, SwiftPM sees, unless its time deceives.
        let compiled = plan?.compiled ?? []
        isAnything = !changes.isEmpty
        sources = changes.filter { $0.path.hasSuffix(".swift") && ($0.isDisguised || $0.isFolderLink) }
        // What has the name of a source may be a resource, or text that a macro or a compiler of C reads.
        others = changes.filter { !$0.path.hasSuffix(".swift") || !compiled.contains($0.path) }
        (self.own, self.toolchain, self.products, self.plan, self.time) = (own, toolchain, products, plan, time)
        let all = sources + others
        changed = Set(
            all.flatMap { change in
                [change.path] + (realPath(String(decoding: change.path, as: UTF8.self)).map { [Array($0.utf8)] } ?? [])
            })
        links = all.filter(\.isFolderLink).map { $0.path + [UInt8(ascii: "/")] }
        newNames = Set(others.filter { !$0.wasThere }.map { Array($0.path.lastComponent) })
        tellsModules = others.contains { change in
            Self.moduleNames.contains { change.path.lastComponent.elementsEqual($0.utf8) }
                || Self.moduleSuffixes.contains(where: change.path.hasSuffix)
        }
    }

    /// Removes them; returns whether there were any.
    @discardableResult
    func removeProducts() throws(RunnerError) -> Bool {
        guard isAnything, let listing = products.listing() else { return false }
        // What plugins and their commands read, and what they have kept of it, nobody tells.
        if time == .max { try products.removeGenerated() }
        var (isAny, isAnySwift) = (false, false)
        let units = products.units(in: listing)
        let reads = units.map { products.reads(of: $0) }
        let readers = others.isEmpty ? [] : macrosThatRead(units)
        let isUntold =
            tellsModules
            || time == .max && !others.isEmpty
                && isInCompiledModule(besides: reads.flatMap { $0.flatMap(\.files) })
        for (unit, reads) in zip(units, reads) {
            for (object, files) in reads {
                let made = object.map { [$0] } ?? unit.objects
                guard made.contains(where: { $0.written < time }) else { continue }
                let command = planned(object?.path ?? Array(unit.module.utf8))
                guard
                    isRead(files) || !others.isEmpty && mayReadMore(files, readers, command)
                        || isUntold && unit.isSwift || !unit.isSwift && includesBytes(files)
                else { continue }
                if let object {
                    try products.remove([String(decoding: object.path, as: UTF8.self)])
                } else {
                    try products.remove(unit)
                    isAnySwift = true
                }
                isAny = true
            }
        }
        guard !others.isEmpty else { return isAny }
        // Compiled headers are found by the times of the sources, and whatever the paths on which they are searched.
        let isNewSearch = others.contains { change in
            isAnySwift && (change.isDisguised || !change.isThere || !change.wasThere)
                || PackageManifest.isName(String(decoding: change.path.lastComponent, as: UTF8.self))
        }
        if isUntold || isNewSearch, time == .max { try products.remove(["ModuleCache"]) }
        if time == .max {
            if plan?.hasOpenLinks(products) != false { try products.removeLinked(in: listing) }
            try removeBundles(listing)
            try removeMade()
        }
        return isAny
    }

    /// Removes what programs of the build have made, whatever has changed: what plugins left, and modules in which macros that can read
    /// more than their sources were expanded.
    func removeMadeByPrograms() throws(RunnerError) {
        try products.removeGenerated()
        let units = products.listing().map { products.units(in: $0) } ?? []
        let readers = macrosThatRead(units)
        guard !readers.isEmpty else { return }
        for unit in units where unit.isSwift {
            let files = products.reads(of: unit).flatMap(\.files)
            // Nobody knows what it read.
            guard files.isEmpty || files.contains(where: { products.relative($0).map(readers.contains) == true }) else {
                continue
            }
            try products.remove(unit)
        }
    }

    private func planned(_ object: [UInt8]) -> BuildPlan.Command? {
        plan?.maker(of: products.planned(String(decoding: object, as: UTF8.self)))
    }

    // MARK: - What was read

    /// Whether one of the files that a compiler read is another.
    private func isRead(_ files: [[UInt8]]) -> Bool {
        files.contains { file in
            if changed.contains(file) || links.contains(where: { file.starts(with: $0) }) { return true }
            // Compilers write paths with `..` and links; what is in the toolchain has none that leads out of it.
            guard !toolchain.contains(file), products.relative(file) == nil else { return false }
            let path = String(decoding: file, as: UTF8.self)
            return changed.contains(Array((realPath(path) ?? (path as NSString).standardizingPath).utf8))
        }
    }

    // MARK: - What may have been read

    /// Whether a compiler may have read, or looked for, files that it does not name: beside those of C that it did read, or anywhere if
    /// they can ask for any.
    private func mayReadMore(_ files: [[UInt8]], _ readers: Set<[UInt8]>, _ command: BuildPlan.Command?) -> Bool {
        // Nobody knows what it read.
        guard !files.isEmpty else { return true }
        if files.contains(where: { products.relative($0).map(readers.contains) == true }) { return true }
        if files.contains(where: { newNames.contains(Array($0.lastComponent)) }) { return true }
        if let command, namesMore(command, than: files) { return true }
        let texts = files.filter { file in
            !file.hasSuffix(".swift") && own.contains { file.starts(with: "\($0)/".utf8) }
        }
        guard !texts.isEmpty else { return false }
        let folders = Set(texts.map { $0.prefix($0.count - $0.lastComponent.count) })
        if others.contains(where: { change in folders.contains { change.path.starts(with: $0) } }) { return true }
        if let command, Self.asksForFiles(command.arguments.flatMap { $0 + [0] }) { return true }
        return texts.contains { file in
            // Directives of an assembler are put together in many ways.
            if [".S", ".s", ".asm"].contains(where: file.hasSuffix) { return true }
            guard let text = FileManager.default.contents(atPath: String(decoding: file, as: UTF8.self)) else {
                return true
            }
            return Self.asksForFiles(Array(text))
        }
    }

    /// Whether an assembler is told to include bytes of some file, which may be a source of Swift.
    private func includesBytes(_ files: [[UInt8]]) -> Bool {
        // Of a `.s` clang does not tell what it read.
        files.isEmpty
            || files.contains { file in
                guard own.contains(where: { file.starts(with: "\($0)/".utf8) }) else { return false }
                let text = FileManager.default.contents(atPath: String(decoding: file, as: UTF8.self))
                return text?.holds(Array("incbin".utf8)) ?? true
            }
    }

    /// Whether clang has compiled a module of a file that is another now, and that no compiler tells it read: for a module that calls itself
    /// `[system]` nobody names its headers, nor looks whether they have changed.
    private func isInCompiledModule(besides told: [[UInt8]]) -> Bool {
        let told = Set(told.lazy.map { Array($0.lastComponent) })
        let names = Set(others.map { Array($0.path.lastComponent) + ($0.isFolderLink ? [UInt8(ascii: "/")] : []) })
            .subtracting(told)
        guard !names.isEmpty else { return false }
        let folder = "\(products.path)/ModuleCache"
        guard FileManager.default.fileExists(atPath: folder) else { return false }
        // What cannot be read may have been made of anything.
        guard let compiled = FolderListing(folder) else { return true }
        return compiled.files.contains { file in
            guard file.path.hasSuffix(".pcm") else { return false }
            let path = "\(folder)/\(String(decoding: file.path, as: UTF8.self))"
            guard let module = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else { return true }
            // Modules of the toolchain are made of nothing in the package.
            guard own.contains(where: { module.holds(Array($0.utf8)) }) else { return false }
            return names.count > Self.mostNames || names.contains { module.holds($0) }
        }
    }

    /// More names than this are not looked for one by one.
    private static let mostNames = 100

    /// Whether a command names a file of the package, or a folder that is not only searched for headers, that the compiler does not tell
    /// it read: what is in it may name others.
    private func namesMore(_ command: BuildPlan.Command, than files: [[UInt8]]) -> Bool {
        let known = Set(files)
        return command.openPaths(in: own, or: { changed.contains(Array($0.utf8)) }).contains { path in
            if products.relative(Array(path.utf8)) != nil || known.contains(Array(path.utf8)) { return false }
            return !known.contains(Array((realPath(path) ?? path).utf8))
        }
    }

    /// The programs of macros that can read files, relative to the products.
    private func macrosThatRead(_ units: [ProductFolder.Unit]) -> Set<[UInt8]> {
        let tools = units.filter { $0.name.hasSuffix("-tool") && $0.isSwift }.map { unit in
            let sources = products.reads(of: unit).flatMap(\.files).filter {
                $0.hasSuffix(".swift") && products.relative($0) == nil
            }
            return (name: unit.name, sources: sources)
        }
        // What the package itself calls like a module of swift-syntax is none.
        let ownModules = Set(
            tools.filter { tool in
                tool.sources.isEmpty
                    || tool.sources.contains { source in own.contains { source.starts(with: "\($0)/".utf8) } }
            }.map { Name(String($0.name.dropLast("-tool".count))) })
        return Set(
            tools.filter { tool in
                tool.sources.isEmpty
                    || tool.sources.contains { source in
                        guard let text = FileManager.default.contents(atPath: String(decoding: source, as: UTF8.self))
                        else { return true }
                        return PackageManifest.canReadFiles(String(decoding: text, as: UTF8.self)) {
                            SyntaxModules.contains($0) && !ownModules.contains(Name(String($0)))
                        }
                    }
            }.map { Array($0.name.utf8) })
    }

    /// Whether a text of C can have a compiler read, or look for, a file that it does not name as read: by an instruction of the
    /// assembler, by `__has_include`, or by a word that is put together.
    static func asksForFiles(_ text: [UInt8]) -> Bool {
        var joined: [UInt8] = []
        joined.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            // A line that goes on.
            if text[at] == UInt8(ascii: "\\"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "\n") {
                at += 2; continue
            }
            joined.append(text[at])
            at += 1
        }
        return words.contains { joined.firstRange(of: $0) != nil }
    }

    private static let words = ["asm", "incbin", "__has_", "##", "%:%:", "??=", "??/"].map { Array($0.utf8) }

    // MARK: - Resources

    /// Removes what SwiftPM itself makes of the changed files, by its plan: copies, and sources that resources are written into.
    private func removeMade() throws(RunnerError) {
        for command in plan?.commands ?? [] where command.arguments.isEmpty && isRead(command.inputs) {
            let made = command.outputs.compactMap(products.relative)
            try products.remove(made.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Removes the bundles that may have copies of the changed files.
    private func removeBundles(_ listing: FolderListing) throws(RunnerError) {
        let names = Set(others.map { Array($0.path.lastComponent) })
        var bundles: Set<String> = []
        for file in listing.files where names.contains(Array(file.path.lastComponent)) {
            let folder = file.path.prefix { $0 != UInt8(ascii: "/") }
            guard folder.count < file.path.count, folder.hasSuffix(".resources") || folder.hasSuffix(".bundle") else {
                continue
            }
            bundles.insert(String(decoding: folder, as: UTF8.self))
        }
        try products.remove(bundles)
    }
}

extension Data {
    /// Whether some bytes are somewhere in it; `range(of:)` takes ten times as long.
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        withUnsafeBytes { text in
            guard let start = text.baseAddress, let first = bytes.first else { return false }
            var at = 0
            while let found = memchr(start + at, Int32(first), text.count - at) {
                at = UnsafeRawPointer(found) - start
                if text[at...].starts(with: bytes) { return true }
                at += 1
            }
            return false
        }
    }
}
