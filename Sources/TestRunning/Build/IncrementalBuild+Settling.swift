import Foundation
import RunModel

extension IncrementalBuild {
    /// Removes what was compiled before something that it depends on changed; returns whether the package must be built
    /// once more.
    mutating func settle() throws(RunnerError) -> Bool {
        findProducts()
        unread = nil
        guard let plan, plan.makes(anythingIn: products) else {
            unread = "SwiftPM's plan of the build is not there, or of an unknown form"
            return false
        }
        guard let listing = products.listing() else {
            // Nothing is left of an earlier build where there was nothing before this one.
            if !isFromNothing || !FileManager.default.fileExists(atPath: products.path) {
                unread = "the folder of the products cannot be read"
            }
            return false
        }
        let beganWithout = isWithoutUndeclared
        isWithoutUndeclared = false
        var isStale = try removeUnplanned(listing)
        let built = parts(of: listing)
        if !isStale, ledger.parts != built { isStale = try removeStale(listing, plan, beganWithout) }
        if try noteSources() { isStale = true }
        // Some of it may be gone now.
        ledger.parts = isStale ? products.listing().map { parts(of: $0) } ?? [] : built
        try ledger.write(in: scratchPath)
        return isStale
    }

    /// What was built, by its parts, ordered by name.
    private func parts(of listing: FolderListing) -> [BuildLedger.Part] {
        products.parts(of: listing).map { BuildLedger.Part(name: $0.key.text, stamps: $0.value) }
            .sorted { Name($0.name) < Name($1.name) }
    }

    /// Removes what is not in the plan; returns whether that build may have read some of it.
    private mutating func removeUnplanned(_ listing: FolderListing) throws(RunnerError) -> Bool {
        let unplanned = BuildLeftovers(products: products, scratchPath: scratchPath).unplanned()
        let (isRead, isLinked) = (
            unplanned.contains { $0.hasPrefix("Modules") }, unplanned.contains(where: BuildLeftovers.isLibrary)
        )
        // First, so that, if this run is killed here, the next one still finds what was left.
        if isRead { try removeOwn() }
        if isLinked { try products.removeLinked(in: listing) }
        try products.remove(unplanned)
        return isRead || isLinked
    }

    /// Removes what was made of own modules.
    func removeOwn() throws(RunnerError) {
        guard let listing = products.listing() else { return }
        for unit in products.units(in: listing) where isOwn(unit) { try products.remove(unit) }
    }

    /// Whether a module is one of the package or of a local one: some of its sources lie there, or nobody knows.
    private func isOwn(_ unit: ProductFolder.Unit) -> Bool {
        let files = products.reads(of: unit).flatMap(\.files)
        let fetched = fetched.map { "\($0)/" }
        let sources = files.filter { products.relative($0) == nil && !toolchain.contains($0) }
        return sources.isEmpty
            || sources.contains { file in
                own.contains { file.starts(with: "\($0)/".utf8) } && !fetched.contains { file.starts(with: $0.utf8) }
            }
    }

    /// Removes own modules and those that they import, or ask for, without a declared dependency: whether that works depends, in an
    /// empty folder, on what happens to be compiled first.
    mutating func removeImportedUndeclared() throws(RunnerError) {
        try removeOwn()
        for module in ledger.undeclared {
            let name = String(module.prefix { $0 != "." })
            try products.remove([module] + (name.hasPrefix("Modules/") ? ["\(name.dropFirst(8)).build"] : []))
        }
        isWithoutUndeclared = true
    }

    /// Removes objects that are older than what they were compiled with; returns whether there were any.
    ///
    /// - Parameter beganWithout: Whether the build had no module that nothing declares before it compiled what imports it.
    private mutating func removeStale(
        _ listing: FolderListing, _ plan: BuildPlan, _ beganWithout: Bool
    ) throws(RunnerError) -> Bool {
        var made = CompilerOutputs(ledger.made, products, listing)
        var order = plan.order
        let reach = Dictionary(
            ledger.reach.map { (Name($0.folder), $0.modules) }, uniquingKeysWith: { first, _ in first })
        ledger.reach = []
        var (elsewhere, undeclared): (Set<[UInt8]>, Set<String>) = ([], [])
        var isStale = false
        let units = products.units(in: listing)
        for unit in units {
            let module = products.planned(unit.module)
            let isPlanned = !unit.isSwift || plan.maker(of: module) != nil
            var reached = PiecewiseHash()
            for path in order.modules(before: module) { reached.add(path) }
            let isReachKnown = reach[Name(unit.folder)] == reached.hexadecimal
            if isPlanned { ledger.reach.append(.init(folder: unit.folder, modules: reached.hexadecimal)) }
            let reads = products.reads(of: unit)
            for (object, files) in reads {
                // Of what a module was made whose compiler tells nothing, nobody knows.
                var newest = isReachKnown && !files.isEmpty || !unit.isSwift ? Int64.min : begin
                // What one file knows of another one of its module, through private types above all, the compiler does not keep.
                if isPlanned, unit.isSwift { newest = max(newest, made.sinceSettled(unit.module, at: begin)) }
                for file in files {
                    guard let path = products.relative(file) else {
                        elsewhere.insert(file)
                        continue
                    }
                    guard !path.hasSuffix(".swift"), !path.elementsEqual(unit.module.utf8) else { continue }
                    let name = String(decoding: path, as: UTF8.self)
                    newest = max(newest, made.since(name))
                    guard isPlanned, unit.isSwift, path.hasSuffix(".swiftmodule") else { continue }
                    if !order.isMade(products.planned(name), before: module) { undeclared.insert(name) }
                }
                let stale = (object.map { [$0] } ?? unit.objects).filter { $0.written < newest }
                guard !stale.isEmpty else { continue }
                try products.remove(stale.map { String(decoding: $0.path, as: UTF8.self) })
                if unit.isSwift { try products.remove([unit.module]) }
                // What is not planned is linked into nothing.
                if isPlanned { isStale = true }
            }
            guard isPlanned, unit.isSwift else { continue }
            for asked in modulesAskedFor(by: unit, reading: reads.flatMap(\.files), of: units)
            where !order.isMade(products.planned(asked), before: module) { undeclared.insert(asked) }
        }
        ledger.made = made.current
        ledger.isWide = isWide(products.units(in: listing), elsewhere, plan)
        ledger.elsewhere = known(elsewhere)
        ledger.undeclared = undeclared.sorted { Name($0) < Name($1) }
        guard !undeclared.isEmpty, isStale || !beganWithout else { return isStale }
        try removeImportedUndeclared()
        return true
    }

    /// The modules of other units whose presence decides which code of an own one is compiled, by `#if canImport`.
    private func modulesAskedFor(
        by unit: ProductFolder.Unit, reading files: [[UInt8]], of units: [ProductFolder.Unit]
    ) -> [String] {
        let folder = unit.module.prefix { $0 != "/" }
        let asked = ImportConditions.modules(in: files.filter(isOwnSource))
        return units.map(\.module).filter { module in
            module != unit.module && asked.contains { module == "\(folder)/\($0).swiftmodule" }
        }
    }

    /// Whether a path is that of a source of Swift in the package or a local one.
    private func isOwnSource(_ path: [UInt8]) -> Bool {
        path.hasSuffix(".swift") && products.relative(path) == nil
            && own.contains { path.starts(with: "\($0)/".utf8) }
            && !fetched.contains { path.starts(with: "\($0)/".utf8) }
    }

    /// Whether something of the repository beside the package may have been read: it was, a command names it, or what reads could
    /// read anything.
    private func isWide(_ units: [ProductFolder.Unit], _ read: Set<[UInt8]>, _ plan: BuildPlan) -> Bool {
        guard let around else { return false }
        func isBeside(_ path: String) -> Bool {
            path.hasPrefix("\(around)/") && !own.contains { path.hasPrefix("\($0)/") }
        }
        return units.contains { ($0.isC || $0.name.hasSuffix("-tool")) && isOwn($0) }
            || read.contains { isBeside((String(decoding: $0, as: UTF8.self) as NSString).standardizingPath) }
            || plan.hasOpenLinks(products)
            || plan.commands.contains { $0.openPaths(in: own + [around]).contains(where: isBeside) }
    }

    /// The paths outside of all folders that are listed, and outside of the toolchain.
    private func known(_ paths: Set<[UInt8]>) -> [String] {
        let folders = wide + own + fetched
        var names: Set<Name> = []
        for path in paths where !toolchain.contains(path) {
            let text = String(decoding: path, as: UTF8.self)
            let name = path.firstRange(of: Array("/../".utf8)) == nil ? text : realPath(text) ?? text
            if !folders.contains(where: { name.utf8.starts(with: "\($0)/".utf8) }) { names.insert(Name(name)) }
        }
        return names.sorted().map(\.text)
    }

    /// Takes note of sources that the build has fetched, or that changed meanwhile; returns whether something was
    /// compiled before.
    private mutating func noteSources() throws(RunnerError) -> Bool {
        let now = try clock()
        let after = sources()
        ledger.sources = after.flatMap { $0.isSettled(at: now) ? $0.hash : nil }
        guard after != scan || ledger.sources == nil else { return false }
        defer { scan = after }
        guard let before = scan, let after else {
            // What the build has read is unknown, so the next one begins with nothing.
            ledger.sources = nil
            try removeIfPresent(contentsPath)
            return false
        }
        if contents.files.isEmpty {
            contents =
                FileManager.default.contents(atPath: contentsPath).flatMap { SourceContents(bytes: $0) } ?? contents
        }
        let changes = contents.update(after, now: now)
        // What an own file was when it was compiled, nobody knows.
        contents.forgetChanged(since: before, now: after) { path in
            watched.contains { path.starts(with: "\($0)/".utf8) }
        }
        try writeContents()
        let fetched = changes.filter { change in self.fetched.contains { change.path.starts(with: "\($0)/".utf8) } }
        return try SourceChanges(
            fetched, own: watched, toolchain: toolchain, products: products, plan: plan, before: begin
        ).removeProducts()
    }
}

/// What compilers made and others read, with the time since when it has its content.
private struct CompilerOutputs {
    private let known: [Name: BuildLedger.Made]
    private let products: ProductFolder
    private let stamps: [[UInt8]: FileStamp]
    private var found: [Name: BuildLedger.Made] = [:]

    init(_ known: [BuildLedger.Made], _ products: ProductFolder, _ listing: FolderListing) {
        self.known = Dictionary(known.map { (Name($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        self.products = products
        stamps = Dictionary(
            listing.files.compactMap { file in file.stamp.map { (file.path, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// What was requested, ordered by path.
    var current: [BuildLedger.Made] { found.sorted { $0.key < $1.key }.map(\.value) }

    /// Since when a file has another content than after the last build that left one, but not later than a build began; the beginning of
    /// time for one that is the same, and for one that could not be made.
    mutating func sinceSettled(_ path: String, at begin: Int64) -> Int64 {
        let since = min(since(path), begin)
        let content = found[Name(path)]?.sha256
        return content == nil || content == known[Name(path)]?.sha256 ? .min : since
    }

    /// Since when a file has its content: what was compiled earlier read another. The end of time for one that is gone.
    mutating func since(_ path: String) -> Int64 {
        let name = Name(path)
        if let file = found[name] { return file.since }
        guard let stamp = stamps[Array(path.utf8)] else { return .max }
        var file = BuildLedger.Made(
            path: path, stamp: "\(stamp)", sha256: "", since: max(stamp.changed, stamp.modified))
        if let known = known[name], known.stamp == file.stamp {
            file = known
        } else {
            file.sha256 = (try? BuiltProducts.hash(of: "\(products.path)/\(path)")) ?? ""
            if let known = known[name], known.sha256 == file.sha256, !file.sha256.isEmpty { file.since = known.since }
        }
        found[name] = file
        return file.since
    }
}
