import Foundation
import RunModel

/// Makes what SwiftPM builds in a used scratch folder what it would build of the same files in an empty one.
///
/// SwiftPM compiles again what it sees changing: times and sizes of files, and modules that a source imports itself. What it does not
/// see is found here by content, and what was made of it is removed, so that SwiftPM makes it again:
///
/// - before a build, sources and headers whose content is another than it was compiled with, and products that
///   something else wrote;
/// - after a build, objects that are older than the content of a module, header or macro that they were compiled with; then it
///   builds once more.
///
/// What compilers read they tell in dependency files. Where these are blind, what may have read a changed file is compiled again. Where
/// SwiftPM's plan of the build is not where it is known to be, or of another form, nothing is known, and `unread` says so.
struct IncrementalBuild: Sendable {
    let scratchPath: String
    private let fingerprint: String?
    /// See `BuildFingerprint.variables`.
    private let variables: String
    private(set) var products: ProductFolder
    private let invocation: TestInvocation
    let own: [String]
    /// The top of the repository around the package; `nil` if that is the package's folder, or unknown.
    let around: String?
    /// The folders of sources that were listed before the build.
    private(set) var watched: [String] = []
    let toolchain: ToolchainFiles
    private let modules: [Module]
    private let date: Date
    private let clean: CleanBuilds
    var ledger: BuildLedger
    var contents = SourceContents()
    var scan: SourceScan?
    /// When the build began, by the clock of files.
    var begin: Int64 = 0
    /// Why nobody can say of the last build that it made everything of the files that are there; `nil` if that was checked.
    var unread: String?
    /// Whether the build began without any products.
    private(set) var isFromNothing = false
    /// Whether the next build begins without own modules, and without those that they import or ask for although nothing declares it.
    var isWithoutUndeclared = false

    /// Whether a clean build follows this build, to compare the two. Not if this build was clean itself.
    private(set) var isCleanDue = false

    /// Prepares for a build; nothing is read yet.
    ///
    /// - Parameters:
    ///   - top: The top of the repository, links resolved; `nil` outside of git.
    ///   - date: When the run began, by the clock of people.
    ///   - clean: When to make a clean build.
    init(
        _ invocation: TestInvocation, _ modules: [Module], local: [LocalPackage], around top: String? = nil,
        date: Date = .distantPast, clean: CleanBuilds = .never
    ) {
        (self.date, self.clean) = (date, clean)
        self.invocation = invocation
        scratchPath = invocation.scratchPath
        products = ProductFolder(invocation)
        self.modules = modules
        let root = invocation.packageRoot
        let known = ResolvedVersions.localPackages(scratchPath: scratchPath) ?? []
        // A target may lie outside of the package's folder.
        let places =
            modules.map { $0.path.hasPrefix("/") ? $0.path : "\(root)/\($0.path)" }
            + local.map { "\(root)/\($0.path)" } + known
        // As compilers name them: without `..` and links.
        own = [root] + places.map { realPath($0) ?? ($0 as NSString).standardizingPath }
        around = top.flatMap { root.hasPrefix("\($0)/") ? $0 : nil }
        toolchain = ToolchainFiles(swift: invocation.tools.swift)
        let build = BuildFingerprint(invocation.build)
        (fingerprint, variables) = (build.hash, build.variables)
        ledger = BuildLedger(fingerprint: fingerprint ?? "")
    }

    // MARK: - Before a build

    /// Removes what was made of anything that is another now.
    mutating func prepare() throws(RunnerError) {
        begin = try clock()
        isWithoutUndeclared = false
        isFromNothing = false
        let known = BuildLedger.read(in: scratchPath)
        var listing = products.listing()
        let isFromFuture = listing?.files.contains { ($0.stamp?.changed ?? 0) > begin + Self.clockTolerance } == true
        if let known, known.fingerprint == fingerprint, !isFromFuture, listing != nil {
            ledger = known
        } else {
            try removeAll()
            listing = nil
        }
        scan = sources()
        watched = own + wide
        if ledger.sources == nil || ledger.sources != scan?.hash { try takeSources(isFirst: known == nil) }
        if ledger.variables != variables { try takeVariables() }
        if let listing { try removeForeign(listing) }
        try products.removeBeside()
        try removeOfAnotherLanguage()
        ledger.sources = scan.flatMap { $0.isSettled(at: begin) ? $0.hash : nil }
        try ledger.write(in: scratchPath)
        isCleanDue = listing != nil && ledger.cleaned != date && isDue
    }

    private var isDue: Bool {
        switch clean {
        case .never: false
        case .daily: ledger.cleaned.map { date.timeIntervalSince($0) >= 86_400 || $0 > date } ?? true
        case .always: true
        }
    }

    /// Moves the products elsewhere and prepares a clean build; returns where they are now.
    mutating func putAside() throws(RunnerError) -> ProductFolder {
        let place = "\(scratchPath)/kanmon-previous"
        try removeIfPresent(place)
        try onFileSystem("move", products.path) {
            try FileManager.default.moveItem(atPath: products.path, toPath: place)
        }
        let aside = products.moved(to: place)
        try prepare()
        isCleanDue = false
        return aside
    }

    /// A clock that is set back this little between two builds does no harm: a build takes longer.
    private static let clockTolerance: Int64 = 50_000_000

    /// The folder beside the package from which something may be read.
    var wide: [String] { ledger.isWide ? around.map { [$0] } ?? [] : [] }

    /// Lists everything that a build may read.
    func sources() -> SourceScan? {
        // The outermost first, which has the others.
        SourceScan(folders: wide + own + fetched, files: ledger.elsewhere, without: scratchPath)
    }

    var fetched: [String] { SourceScan.fetched.map { "\(scratchPath)/\($0)" } }

    /// The current time by the clock of files.
    func clock() throws(RunnerError) -> Int64 {
        try makeDirectory(scratchPath)
        let path = "\(scratchPath)/kanmon-clock"
        try onFileSystem("write", path) { try Data("now\n".utf8).write(to: URL(filePath: path), options: .atomic) }
        return FileStamp(path)?.changed ?? 0
    }

    /// Removes everything that was built.
    private mutating func removeAll() throws(RunnerError) {
        for name in ["debug.yaml", "plugin-tools.yaml", "build.db", "plugins"] {
            try removeIfPresent("\(scratchPath)/\(name)")
        }
        try removeIfPresent(products.path)
        try removeIfPresent(contentsPath)
        ledger = BuildLedger(fingerprint: fingerprint ?? "")
        // What is built from nothing is what a clean build makes.
        ledger.cleaned = date
        isWithoutUndeclared = true
        isFromNothing = true
    }

    /// Finds the products where the build has put them.
    mutating func findProducts() { products = ProductFolder(invocation) }

    var contentsPath: String { "\(scratchPath)/kanmon-contents" }

    private mutating func takeSources(isFirst: Bool) throws(RunnerError) {
        let bytes = FileManager.default.contents(atPath: contentsPath)
        let known = bytes.flatMap { SourceContents(bytes: $0) }
        contents = known ?? SourceContents()
        guard let scan else {
            // What cannot be listed may be another each time, and so may all that was made of it.
            contents = SourceContents()
            return try removeAll()
        }
        // What was made of unknown sources is not known to be made of these.
        if !isFirst, known == nil { try removeAll() }
        let changes = contents.update(scan, now: begin)
        if let known { try removeCheckouts(with: changes, in: known) }
        try SourceChanges(changes, own: watched, toolchain: toolchain, products: products, plan: plan).removeProducts()
        if !ledger.undeclared.isEmpty, !changes.isEmpty { try removeImportedUndeclared() }
        try writeContents()
    }

    /// Removes what programs of the build may have made by variables that are others now.
    private mutating func takeVariables() throws(RunnerError) {
        try SourceChanges([], own: watched, toolchain: toolchain, products: products, plan: nil).removeMadeByPrograms()
        ledger.variables = variables
    }

    /// Removes checkouts of dependencies that are not as SwiftPM left them, so that it makes them again: a test may have written there.
    private func removeCheckouts(with changes: [SourceContents.Change], in known: SourceContents) throws(RunnerError) {
        let folder = "\(realPath(scratchPath) ?? scratchPath)/checkouts/"
        func checkout(of path: [UInt8]) -> String? {
            guard path.starts(with: folder.utf8) else { return nil }
            return String(decoding: path.dropFirst(folder.utf8.count).prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
        }
        let changed = Set(changes.compactMap { checkout(of: $0.path) })
        // What is new altogether, only SwiftPM can have fetched.
        guard !changed.isEmpty else { return }
        for name in Set(known.files.keys.compactMap(checkout)).intersection(changed) {
            try removeIfPresent(folder + name)
        }
    }

    func writeContents() throws(RunnerError) {
        try onFileSystem("write", contentsPath) {
            try Data(contents.bytes).write(to: URL(filePath: contentsPath), options: .atomic)
        }
    }

    var plan: BuildPlan? { FileManager.default.contents(atPath: "\(scratchPath)/debug.yaml").map(BuildPlan.init) }

    /// Removes what is not as the last build left it: something else wrote there since, or a build that was killed, and who did is
    /// unknown.
    private func removeForeign(_ listing: FolderListing) throws(RunnerError) {
        let known = Dictionary(
            ledger.parts.map { (Name($0.name), $0.stamps) }, uniquingKeysWith: { first, _ in first })
        for (part, stamps) in products.parts(of: listing) where known[part] != stamps {
            try products.remove(part: part, in: listing)
        }
    }

    /// Removes what the compiler of another language left for a target.
    private func removeOfAnotherLanguage() throws(RunnerError) {
        guard let listing = products.listing() else { return }
        let languages = Dictionary(
            modules.map { (Name($0.compilerName), $0.isSwift) }, uniquingKeysWith: { first, _ in first })
        for unit in products.units(in: listing) {
            guard let isSwift = languages[Name(unit.name)], isSwift ? unit.isC : unit.isSwift else { continue }
            try products.remove(part: Name("Modules/\(unit.name)"), in: listing)
            try products.remove(unit)
        }
    }
}
