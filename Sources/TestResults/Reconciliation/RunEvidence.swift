import CodeCoverage
import Evidence
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
    /// Where the sources lie, by `Module/File.swift`, as the runtime names them.
    let sourcePaths: [Name: String]
    /// The pass whose reports these are.
    private(set) var pass: TestPass
    private(set) var selection: TestSelection
    private(set) var xctestList: XCTestList?
    private(set) var swiftTestingList: EventStream?
    private(set) var observer: ObserverRecords?
    private(set) var events: EventStream?
    private(set) var transcript: Transcript?
    private(set) var xunit: [(file: String, report: XUnitReport)] = []
    /// What the coverage export says, or why it cannot be read; neither where there is none.
    private(set) var export: CoverageExport?
    private(set) var exportError: CoverageExportError?
    private(set) var functionNames = FunctionNames()
    /// Which tests execute which code.
    private(set) var testMap: TestMap?
    /// What the compiler said.
    private(set) var diagnostics: [BuildDiagnostic] = []
    /// Artifacts that are gone or differ from their checksum.
    private(set) var damage: [Gap] = []
    private(set) var faults: [Fault] = []
    /// How many texts the readers have cut.
    private(set) var cutTexts = 0
    private let budget: EvidenceBudget

    /// Reads what all passes of a run share: the lists, the build log, the coverage.
    ///
    /// - Throws: Only where the system refuses to read; whatever is wrong with a report is kept as a value.
    init(
        _ directory: RunDirectory, _ manifest: RunManifest, budget: EvidenceBudget = EvidenceBudget()
    ) throws(EvidenceError) {
        self.manifest = manifest
        self.budget = budget
        paths = PackagePaths(root: manifest.packageRoot)
        var sourcePaths: [Name: String] = [:]
        for module in manifest.modules {
            for path in module.sourcePaths {
                let name = Name("\(module.compilerName)/\(path.split(separator: "/").last ?? "")")
                if sourcePaths[name] == nil { sourcePaths[name] = path }
            }
        }
        self.sourcePaths = sourcePaths
        pass = TestPass(reason: .first)
        selection = TestSelection([], engine: manifest.engine, tests: nil)
        // Where the process that reads has made it itself, it knows what it says.
        export = directory.memory?.export as? CoverageExport
        for role in ArtifactRole.allCases where !role.belongsToPass && (role != .coverageExport || export == nil) {
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

    /// Forgets the reports of the pass, which were compared.
    mutating func forgetReports() {
        (observer, events, transcript, xunit) = (nil, nil, nil, [])
    }

    /// The steps of the pass, in order.
    var steps: [RunStep] { pass.steps.filter(manifest.steps.indices.contains).map { manifest.steps[$0] } }

    private mutating func readAll(_ role: ArtifactRole, in directory: RunDirectory) throws(EvidenceError) {
        for artifact in manifest.artifacts where artifact.role == role && pass.owns(artifact) {
            let before = budget.used
            do throws(EvidenceError) {
                try take(role, artifact, in: directory)
            } catch {
                budget.goBack(to: before)
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
        switch role {
        case .xctestList, .swiftTestingList, .observerRecords, .eventStream, .transcript, .xunit, .coverageExport,
            .functionNames, .testMap, .buildLog:
            try directory.lent(artifact) { document throws(EvidenceError) in
                try take(role, document, file: artifact.path)
            }
        // Only foreign runs have coverage of these kinds, and those are read by the rules of their ingestion.
        case .attachment, .scriptLog, .policy, .baseline, .comparison, .deselectedTests, .deselectedLines, .authors,
            .probation, .causes, .shardManifest, .cobertura,
            .lcov:
            // Read by others, while what was read here is still there. What no verdict depends on takes nothing from what one does.
            if role != .causes, ValueLimit(of: role) != nil { budget.count(bytes: 8 * artifact.bytes) }
            // Damage to what nobody reads here is a gap anyway.
            _ = try directory.checkedLocation(of: artifact)
        }
    }

    private mutating func take(
        _ role: ArtifactRole, _ document: LentBytes, file: String
    ) throws(EvidenceError) {
        switch role {
        case .xctestList:
            let list = try XCTestList.read(document, file: file, budget: budget)
            if xctestList == nil { xctestList = list } else { xctestList?.tests += list.tests }
        case .swiftTestingList:
            swiftTestingList.merge(try EventStream.read(document, file: file, budget: budget))
        case .observerRecords:
            let records = try ObserverRecords.read(document, file: file, budget: budget)
            cutTexts += records.cutTexts
            observer.merge(records)
        case .eventStream:
            let stream = try EventStream.read(document, file: file, budget: budget)
            cutTexts += stream.cutTexts
            events.merge(stream)
        case .transcript:
            let known = xctestList.map { Set($0.tests.map { Name($0.consoleName) }) }
            let read = Transcript.read(document, known: known, budget: budget)
            try budget.check(file)
            transcript.merge(read)
        case .xunit:
            xunit.append((file, try XUnitReport.read(document, file: file, origin: .swiftPM, budget: budget)))
        case .coverageExport:
            let before = budget.used
            do throws(CoverageExportError) {
                export = try CoverageExport.read(document, budget: budget)
            } catch {
                budget.goBack(to: before)
                exportError = error
            }
        case .functionNames:
            functionNames.add(FunctionNames(document, budget))
            try budget.check(file)
        case .testMap:
            testMap = try TestMap(document, file: file, budget: budget)
        case .buildLog:
            diagnostics += BuildLog.diagnostics(in: document, packageRoot: manifest.packageRoot)
        default: break
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
        // So that what is there is added to, and not copied.
        self = nil
        var places: [EventTestID: Int] = [:]
        for (index, function) in all.functions.enumerated() { places[function.id] = index }
        for function in other.functions {
            if let place = places[function.id] {
                all.functions[place].executions += function.executions
                all.functions[place].attached += function.attached
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
        // So that what is there is added to, and not copied.
        self = nil
        all.executions += other.executions
        all.strayIssues += other.strayIssues
        all.ignoredIssues += other.ignoredIssues
        all.deafness += other.deafness
        all.heard += other.heard
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
        // So that what is there is added to, and not copied.
        self = nil
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
