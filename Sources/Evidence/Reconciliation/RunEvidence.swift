import RunModel

/// Every report of a run directory, read but not yet compared with the others.
struct RunEvidence {
    /// A report that could not be used as it is; whether that matters is known when all others are read.
    struct Fault {
        var role: ArtifactRole
        var code: ReasonCode
        var file: String
        var detail: String
    }

    let manifest: RunManifest
    let paths: PackagePaths
    /// The pass whose reports these are.
    private(set) var pass: TestPass
    private(set) var selection: TestSelection
    private(set) var xctestList: XCTestList?
    private(set) var swiftTestingList: EventStream?
    private(set) var observer: ObserverRecords?
    private(set) var events: EventStream?
    private(set) var transcript: Transcript?
    private(set) var xunit: [(file: String, report: XUnitReport)] = []
    private(set) var coverageExport: [UInt8]?
    /// What the export says, where the process that reads has made it itself.
    let knownExport: CoverageExport?
    private(set) var functionNames = FunctionNames()
    private(set) var buildLog: [UInt8] = []
    /// Artifacts that are gone or differ from their checksum.
    private(set) var damage: [Gap] = []
    private(set) var faults: [Fault] = []

    /// Reads what all passes of a run share: the lists, the build log, the coverage.
    ///
    /// - Throws: Only where the system refuses to read; whatever is wrong with a report is kept as a value.
    init(_ directory: RunDirectory, _ manifest: RunManifest) throws(EvidenceError) {
        self.manifest = manifest
        paths = PackagePaths(root: manifest.packageRoot)
        pass = TestPass(reason: .first)
        selection = TestSelection([], engine: manifest.engine, tests: nil)
        knownExport = directory.memory?.export
        for role in ArtifactRole.allCases where !role.belongsToPass && (role != .coverageExport || knownExport == nil) {
            try readAll(role, in: directory)
        }
    }

    /// The same with the reports of one pass.
    func reading(_ pass: TestPass, in directory: RunDirectory) throws(EvidenceError) -> RunEvidence {
        var evidence = self
        evidence.pass = pass
        evidence.selection = TestSelection(
            evidence.steps, engine: manifest.engine, tests: pass.tests, isCutShort: pass.diagnosis != nil)
        // The lists are there by now: the transcript is read by the names in them.
        for role in ArtifactRole.allCases where role.belongsToPass { try evidence.readAll(role, in: directory) }
        return evidence
    }

    /// The steps of the pass, in order.
    var steps: [RunStep] { pass.steps.filter(manifest.steps.indices.contains).map { manifest.steps[$0] } }

    private mutating func readAll(_ role: ArtifactRole, in directory: RunDirectory) throws(EvidenceError) {
        for artifact in manifest.artifacts where artifact.role == role && pass.owns(artifact) {
            do throws(EvidenceError) {
                try take(role, artifact, in: directory)
            } catch {
                guard error.isBadInput else { throw error }
                note(error, role, artifact.path)
            }
        }
    }

    private mutating func note(_ error: EvidenceError, _ role: ArtifactRole, _ file: String) {
        switch error {
        case .damaged(_, let reason), .tooLarge(_, let reason):
            damage.append(Gap(.artifactDamaged, subject: file, detail: reason))
        case .truncated:
            faults.append(Fault(role: role, code: .reportTruncated, file: file, detail: error.description))
        default:
            faults.append(Fault(role: role, code: .reportMalformed, file: file, detail: error.description))
        }
    }

    private mutating func take(
        _ role: ArtifactRole, _ artifact: Artifact, in directory: RunDirectory
    ) throws(EvidenceError) {
        let file = artifact.path
        switch role {
        case .xctestList:
            let list = try XCTestList.read(directory.bytes(of: artifact), file: file)
            xctestList = XCTestList(tests: (xctestList?.tests ?? []) + list.tests)
        case .swiftTestingList:
            swiftTestingList.merge(
                try directory.lent(artifact) { document throws(EvidenceError) in
                    try EventStream.read(document, file: file)
                })
        case .observerRecords:
            observer.merge(
                try directory.lent(artifact) { document throws(EvidenceError) in
                    try ObserverRecords.read(document, file: file)
                })
        case .eventStream:
            events.merge(
                try directory.lent(artifact) { document throws(EvidenceError) in
                    try EventStream.read(document, file: file)
                })
        case .transcript:
            let known = xctestList.map { Set($0.tests.map { Name($0.consoleName) }) }
            transcript.merge(Transcript.read(try directory.bytes(of: artifact), known: known))
        case .xunit:
            let report = try directory.lent(artifact) { document throws(EvidenceError) in
                try XUnitReport.read(document, file: file, origin: .swiftPM)
            }
            xunit.append((file, report))
        case .coverageExport:
            coverageExport = try directory.bytes(of: artifact)
        case .functionNames:
            functionNames.add(FunctionNames(try directory.bytes(of: artifact)))
        case .buildLog:
            buildLog += try directory.bytes(of: artifact)
        // Only foreign runs have coverage of these kinds, and those are read by the rules of their ingestion.
        case .scriptLog, .policy, .baseline, .comparison, .shardManifest, .cobertura, .lcov:
            // Damage to what nobody reads here is a gap all the same.
            _ = try directory.checkedLocation(of: artifact)
        }
    }
}

extension TestID {
    /// `Module.Class/method`, as XCTest takes and gives it.
    var specifier: String { "\(module).\(suite.replacing("/", with: "."))/\(name)" }

    /// `Class.method`, as XCTest's console names a case: without module and without the classes around.
    var consoleName: String { "\(suite.split(separator: "/").last ?? "").\(name)" }
}

// Two test steps leave two files of a kind; they are read as one.

extension EventStream? {
    fileprivate mutating func merge(_ other: EventStream) {
        guard var all = self else {
            self = other
            return
        }
        var places: [EventTestID: Int] = [:]
        for (index, function) in all.functions.enumerated() { places[function.id] = index }
        for function in other.functions {
            if let place = places[function.id] {
                all.functions[place].executions += function.executions
            } else {
                all.functions.append(function)
            }
        }
        all.strayIssues += other.strayIssues
        all.hasStarted = all.hasStarted || other.hasStarted
        all.hasEnded = all.hasEnded && other.hasEnded
        all.isTruncated = all.isTruncated || other.isTruncated
        self = all
    }
}

extension ObserverRecords? {
    fileprivate mutating func merge(_ other: ObserverRecords) {
        guard var all = self else {
            self = other
            return
        }
        all.executions += other.executions
        all.strayIssues += other.strayIssues
        all.bundles = (all.bundles.begun + other.bundles.begun, all.bundles.ended + other.bundles.ended)
        self = all
    }
}

extension Transcript? {
    fileprivate mutating func merge(_ other: Transcript) {
        guard var all = self else {
            self = other
            return
        }
        let shift = all.executions.count
        all.executions += other.executions
        all.crashes += other.crashes.map { crash in
            var crash = crash
            crash.execution = crash.execution.map { $0 + shift }
            return crash
        }
        all.signal = other.signal ?? all.signal
        all.isConcluded = all.isConcluded || other.isConcluded
        self = all
    }
}
