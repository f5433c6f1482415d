import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// Reads the coverage of the package's own targets, whatever the tests came to.
    mutating func measure(_ invocation: TestInvocation, _ modules: [Module]) async throws(RunnerError) {
        let inventory = try ProfileInventory(directory: files.profiles)
        profiles = inventory.sizes
        notes += inventory.unkept
        let list = if let builtObjects { builtObjects.afterTests() } else { try objects(of: modules, invocation) }
        modulesWithoutObjects = list.modulesWithoutObjects
        // Nothing to measure is no gap: which modules should be there is for CodeCoverage to say.
        let canMeasure = !isCancelled && !list.objects.isEmpty
        if canMeasure, !inventory.usable.isEmpty {
            try missProfiles()
            if try await read(invocation, inventory, list) { return }
        }
        let maps = try list.maps()
        instrumentedSources = list.sources(compiledTo: maps.mapped)
        guard canMeasure else { return }
        guard !inventory.usable.isEmpty else {
            // Where nothing was to run, that is said already.
            guard !gaps.contains(where: { $0.code == .noTests }) else { return }
            gaps.append(Gap(.coverageMissing, detail: "the tests left no profile"))
            return
        }
        // Without a map llvm-cov cannot tell code that has no executable line from a build without coverage. The tests can:
        // they have executable lines, and no module of theirs counts.
        let isEmpty = maps.mapped.isEmpty
        let exported = isEmpty ? try objects(of: modules, ofTests: true, invocation) : list
        try write(exported)
        if try await merge(invocation, inventory), try await export(invocation) {
            let functions = isEmpty ? try exported.maps().functions : maps.functions
            try await inspectExport(invocation, compiled: functions)
        }
        // They can be large, and everything in them is in the merged one.
        try removeIfPresent(files.profiles)
    }

    /// Remembers the objects as they are before any test runs.
    mutating func rememberObjects(of modules: [Module], _ invocation: TestInvocation) throws(RunnerError) {
        builtObjects = try objects(of: modules, invocation)
    }

    private func objects(
        of modules: [Module], ofTests: Bool = false, _ invocation: TestInvocation
    ) throws(RunnerError) -> ObjectList {
        try ObjectList(
            modules: modules, ofTests: ofTests, packageRoot: request.package.root,
            productsPath: invocation.productsPath, folder: invocation.products)
    }

    /// Says so when a process that ended in order left no profile while others did: somebody took its coverage away.
    private mutating func missProfiles() throws(RunnerError) {
        var missing = 0
        for folder in expectedProfiles where try ProfileInventory(directory: folder).usable.isEmpty { missing += 1 }
        guard missing > 0 else { return }
        let detail = "\(missing) of \(expectedProfiles.count) test processes left no profile"
        gaps.append(Gap(.coverageMissing, detail: detail))
    }

    /// Measures profiles of another process; nothing is built, and no test is run.
    mutating func measuredManifest(of folder: String) async throws(RunnerError) -> RunManifest {
        let installation = try await toolchain()
        var (package, invocation) = try await prepare(installation)
        invocation.products = try await findProducts(of: package, invocation)
        var artifacts = try keepGivenFiles()
        for (number, profile) in try ProfileInventory(directory: folder).usable.enumerated() {
            let copy = "\(files.profiles)/\(number)-\((profile as NSString).lastPathComponent)"
            try onFileSystem("copy", profile) { try FileManager.default.copyItem(atPath: profile, toPath: copy) }
        }
        try await measure(invocation, package.modules)
        artifacts += try collectEvidence()
        let subject = Subject(package: package, toolchain: installation.toolchain)
        var measured = manifest(of: subject, artifacts: artifacts, sources: [])
        // Nobody knows how the processes were built that left these profiles.
        measured.counters = nil
        return measured
    }

    /// A tool that reads a damaged file may never end.
    static let toolLimit = Duration.seconds(120)

    private mutating func merge(
        _ invocation: TestInvocation,
        _ inventory: ProfileInventory
    ) async throws(RunnerError) -> Bool {
        progress(.began(.merge))
        let captured = CapturedOutput(limit: 1 << 20)
        let outcome = try await step(.merge, invocation.merge(inventory.usable), limit: Self.toolLimit, captured)
        progress(.ended(.merge, outcome.duration))
        let damaged = CoverageComplaints.gaps(in: captured.errorText)
        gaps += damaged
        guard outcome.termination.isSuccess else {
            if damaged.isEmpty, outcome.cause != .cancelled {
                let detail = CoverageComplaints.summary(captured.errorText, outcome.termination)
                gaps.append(Gap(.profileDamaged, detail: detail))
            }
            return false
        }
        return true
    }

    func write(_ list: ObjectList) throws(RunnerError) {
        let responseFile = list.responseFile
        try onFileSystem("write", files.objectList) {
            try responseFile.write(to: URL(filePath: files.objectList))
        }
    }

    private mutating func export(_ invocation: TestInvocation) async throws(RunnerError) -> Bool {
        progress(.began(.export))
        let export = try TranscriptFile(path: files.coverageExport, capacity: .init(head: Self.exportLimit, tail: 0))
        let watcher = ExportWatcher(file: export)
        let outcome = try await step(.export, invocation.export, limit: Self.toolLimit, watcher)
        progress(.ended(.export, outcome.duration))
        let dropped = try export.finish()
        if outcome.termination.isSuccess, dropped == 0 { return true }
        try removeIfPresent(files.coverageExport)
        if outcome.cause == .cancelled { return false }
        let detail =
            dropped > 0
            ? "the export is larger than 512 MiB" : CoverageComplaints.summary(watcher.errorText, outcome.termination)
        gaps.append(Gap(.coverageMissing, detail: detail))
        return false
    }
}

/// Writes an export to its file and keeps the complaints.
final class ExportWatcher: ChildObserver {
    private let file: TranscriptFile
    private let complaints = CapturedOutput(limit: 1 << 20)

    init(file: TranscriptFile) { self.file = file }

    func receive(_ bytes: UnsafeRawBufferPointer, from stream: ChildStream) {
        switch stream {
        case .output: file.append(bytes)
        case .error: complaints.receive(bytes, from: .error)
        }
    }

    /// What was complained about.
    var errorText: String { complaints.errorText }
}
