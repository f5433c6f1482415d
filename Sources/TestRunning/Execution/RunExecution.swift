import CodeCoverage
import Evidence
import Foundation
import RunModel

/// One run while it goes on: what was done so far, and what was seen.
struct RunExecution: Sendable {
    let request: RunRequest
    let writer: RunDirectory.Writer
    let files: RunFiles
    let environment: ChildEnvironment
    let isolation: TreeIsolation
    let progress: @Sendable (RunProgress) -> Void
    let clock = RunClock()
    private let begin: RunClock.Instant
    /// For the account: how long the run took, with the time in which the machine was asleep.
    private let beginInAll = ContinuousClock.now

    private(set) var steps: [RunStep] = []
    private(set) var passes: [TestPass] = []
    /// Which tests to run: what was requested, perhaps narrowed to what a change can break.
    var selection: Selection
    /// How the tests are started.
    var engine: Engine
    /// The versions of dependencies, and whether none but SwiftPM's own were there when the run began: what scripts of the
    /// package resolve is as much its own as what the build does.
    private let resolved: ResolvedFile
    private let beginsAsResolved: Bool
    /// Whether coverage is wanted: of a part that a change chose no floor is judged, and the push measures the whole.
    var measuresCoverage = true
    /// Whether coverage is measured only to estimate that of all tests, since some were left out that a change cannot break.
    var isEstimated = false
    /// What is tested, as long as nothing says otherwise.
    var revision: Revision?
    var gaps: [Gap] = []
    var notes: [Note] = []
    var profiles: [Int] = []
    /// The folders in which processes that ended in order should have left profiles.
    var expectedProfiles: [String] = []
    /// The objects of own targets before the tests ran, of which the coverage is read; `nil` where no tests run.
    var builtObjects: ObjectList?
    var modulesWithoutObjects: [String] = []
    var instrumentedSources: [String]?
    /// The identities of the tests by the names that their libraries give them; `nil` where they were not listed.
    var testIDs: [Name: TestID]?
    /// How the tests are started and which there are, once that is known.
    var tested: Tested?
    /// What came of new and changed tests that were repeated, to be kept; `nil` where none were.
    var probationFile: GivenFile?
    /// When the time for mutants or repeated tests is over.
    var ownDeadline: RunClock.Instant?
    /// How long it took to find out why tests failed, which is no part of the run.
    var timeForCauses = Duration.zero
    /// How long tests took while they were mapped.
    var mappedDurations: [TestID: Duration] = [:]
    /// The packages that it depends on by a path.
    var localPackages: [LocalPackage] = []
    /// What the manifests that can read files say, by their folders.
    var manifestDigests: [Name: String] = [:]
    /// What the coverage export says.
    var export: CoverageExport?
    /// How it was read, where no tool was asked.
    var coverage: CoverageProvenance?
    /// The SHA-256 of the test binary that was built elsewhere; `nil` if this run built.
    var givenBinary: String?

    /// Prepares the folders; nothing of an earlier run stays where this one could take it for its own.
    init(
        _ request: RunRequest,
        _ writer: RunDirectory.Writer,
        _ progress: @escaping @Sendable (RunProgress) -> Void
    ) throws(RunnerError) {
        self.request = request
        self.writer = writer
        self.progress = progress
        begin = clock.now
        files = RunFiles(evidence: writer.path, work: "\(request.scratchPath)/kanmon")
        notes = request.package.notes
        gaps = request.package.gaps
        revision = request.package.revision
        selection = request.tests.selection
        engine = request.options.engine
        let support = request.options.isolation == .exactly(.reaper) ? IsolationSupport() : .probe()
        isolation = try support.isolation(by: request.options.isolation)
        if request.options.isolation == .best { notes += support.shortfall }
        environment = ChildEnvironment(
            parent: request.parentEnvironment, extra: request.options.environment,
            ceiling: request.package.repositoryCeiling)
        resolved = ResolvedFile(packageRoot: request.package.root, scratchPath: request.scratchPath)
        beginsAsResolved = resolved.isOfSwiftPM
        try removeIfPresent(files.work)
        try makeDirectory(files.profiles)
        try makeDirectory(files.testRecords)
        try makeDirectory(files.sanitizerReports)
    }

    /// Does everything and answers what happened.
    mutating func manifest() async throws(RunnerError) -> RunManifest {
        let installation = try await toolchain()
        var given = try keepGivenFiles()
        let (subject, sources, made, isInterrupted): (Subject, [KeptSource], [Artifact]?, Bool) =
            try await amongScripts { (run, isPrepared) throws(RunnerError) in
                let (subject, sources) = try await run.buildAndTest(installation, isPrepared: isPrepared)
                let isInterrupted = run.isCancelled
                let begin = ContinuousClock.now
                // Before the scripts that clean up: whoever repeats tests needs what they need.
                let made = try await run.filesOnFailure(subject, sources)
                run.timeForCauses = ContinuousClock.now - begin
                return (subject, sources, made, isInterrupted)
            }
        // Whoever ends what is done after the tests has the results of all of them.
        if isInterrupted || isCancelled && made == nil {
            gaps.append(Gap(.interrupted, detail: "after \(Self.seconds(clock.now - begin))"))
        }
        given += try keepDeselectedLines() + (made ?? [])
        given += try keepProbation()
        let evidence = try collectEvidence()
        let attached = try collectAttachments()
        return manifest(
            of: subject, artifacts: given + evidence + attached.artifacts, sources: sources,
            attachments: attached.entries)
    }

    /// Builds the package and runs its tests where its scripts have worked; returns what it is, and what was kept of
    /// it.
    private mutating func buildAndTest(
        _ installation: ToolchainInstallation, isPrepared: Bool
    ) async throws(RunnerError) -> (Subject, [KeptSource]) {
        var (package, invocation) = try await prepare(installation, isPrepared: isPrepared)
        if isPrepared { await compareWithTree(package.modules) }
        if isPrepared, let note = StrayTests.note(in: request.package.root, without: package.modules) {
            notes.append(note)
        }
        // Before the build, so that what is kept is what is compiled.
        let stamps = stamps(of: package.modules)
        let sources = try keepSources(of: package.modules)
        let subject = Subject(package: package, toolchain: installation.toolchain)
        if isPrepared, !isCancelled, try await haveProducts(package, installation, invocation), !isCancelled {
            await compareAfterBuild(package.modules)
            if package.hasTests {
                invocation.products = try await findProducts(of: package, invocation)
                if measuresCoverage { try rememberObjects(of: package.modules, invocation) }
                try await test(invocation, installation, subject)
                let known = gaps.count
                if measuresCoverage { try await measure(invocation, package.modules) }
                if isEstimated { try giveUpDoubtfulEstimate(gapsBefore: known) }
            } else {
                gaps.append(Gap(.noTests, detail: "the package has no test target"))
            }
        }
        await compareAgain(package.modules, stamps, sources)
        // What changes from here on is none of what was tested.
        await proveTests()
        return (subject, sources)
    }

    /// Builds, and takes note of the versions of dependencies that SwiftPM chose, if it did so by itself.
    mutating func choosingVersions<Value>(
        _ build: (inout RunExecution) async throws(RunnerError) -> Value
    ) async throws(RunnerError) -> Value {
        if beginsAsResolved { try resolved.startAnew() } else { try resolved.forget() }
        try resolved.leaveFormerPlaces()
        let value = try await build(&self)
        try resolved.rememberPlaces()
        if beginsAsResolved { try resolved.remember() }
        return value
    }

    /// Finds the toolchain, which is none of the package's own programs.
    func toolchain() async throws(RunnerError) -> ToolchainInstallation {
        var installation = try await ToolchainLocator(
            environment: request.parentEnvironment, swiftOverride: request.options.swift
        ).recall(keeping: request.cacheDirectory)
        installation.toolchain = installation.toolchain.building(
            request.options.build, by: request.options.buildSystem)
        return installation
    }

    /// Learns what the package is, and puts together what will be started.
    ///
    /// - Parameter isPrepared: Whether what the scripts before the build make is there.
    mutating func prepare(
        _ installation: ToolchainInstallation, isPrepared: Bool = true
    ) async throws(RunnerError) -> (PackageDescription, TestInvocation) {
        let package =
            try await isPrepared ? describeChecked(installation.tools) : describeUnprepared(installation.tools)
        if isPrepared { localPackages = await findLocalPackages(of: package, installation.tools) }
        let invocation = TestInvocation(
            tools: installation.tools, packageRoot: request.package.root, scratchPath: request.scratchPath,
            package: package.name, environment: environment.variables,
            buildVariables: environment.buildVariables, files: files, manifestMark: manifestMark,
            interop: interop(of: package), buildSystem: installation.toolchain.buildSystem,
            choice: request.options.build,
            swiftVersion: installation.toolchain.swiftVersion
        )
        return (package, invocation)
    }

    /// What the package and the toolchain are.
    struct Subject: Sendable {
        var package: PackageDescription
        var toolchain: Toolchain
    }

    /// How the testing libraries work together. The settings may set the variable that says so to something else than `swift test` does.
    func interop(of package: PackageDescription) -> Interop {
        let own = request.options.environment.contains { $0.prefix { $0 != "=" } == Interop.variable }
        return Interop(
            rule: request.options.interop,
            mode: own ? environment.variables[Interop.variable] : Interop.mode(toolsVersion: package.toolsVersion),
            confirmsHearing: true)
    }

    /// What is known so far.
    func manifest(
        of subject: Subject, artifacts: [Artifact], sources: [KeptSource], attachments: [KeptAttachment] = []
    ) -> RunManifest {
        var contents = RunManifest.Contents(
            kanmonVersion: request.kanmonVersion, packageRoot: request.package.root, arguments: request.arguments)
        contents.seed = request.seed
        contents.passes = passes.isEmpty ? nil : passes
        contents.modulesWithoutObjects = modulesWithoutObjects
        contents.instrumentedSources = instrumentedSources
        contents.withheldEnvironment = environment.withheld
        contents.profiles = profiles
        contents.counters = profiles.isEmpty ? nil : .atomic
        contents.coverage = coverage
        contents.gaps = gaps
        contents.notes = notes
        contents.artifacts = artifacts
        contents.sources = sources
        contents.attachments = attachments.isEmpty ? nil : attachments
        return RunManifest(head(of: subject), facts(of: subject), contents)
    }

    /// Which run it is, and of what.
    private func head(of subject: Subject) -> RunHead {
        RunHead(
            id: request.runID, project: request.package.project, package: subject.package.name, revision: revision,
            startedAt: request.startedAt, duration: ContinuousClock.now - beginInAll - timeForCauses, engine: engine)
    }

    /// How it is made, as far as that is known.
    private func facts(of subject: Subject) -> RunFacts {
        RunFacts(
            toolchain: subject.toolchain, isolation: isolation.kind == .reaper ? nil : isolation.kind,
            machine: request.machine, origin: request.origin, inputs: inputs(subject.toolchain),
            variables: environment.checksums,
            dependencies: ResolvedVersions.facts(
                scratchPath: request.scratchPath, packageRoot: request.package.root),
            selection: selection == Selection() ? nil : selection, interop: interop(of: subject.package), jobs: jobs,
            steps: steps, modules: subject.package.modules, localPackages: localPackages.isEmpty ? nil : localPackages)
    }

    /// What the run depends on, with what is only known once it was built.
    func inputs(_ toolchain: Toolchain) -> RunInputs? {
        guard var inputs = request.package.inputs else { return nil }
        inputs.toolchain = toolchain
        // What was built elsewhere may have been built otherwise: it is like no build of this machine.
        if let givenBinary { inputs.settings += ", built elsewhere \(givenBinary)" }
        inputs.dependencies =
            ResolvedVersions(scratchPath: request.scratchPath, packageRoot: request.package.root)?.lines
        return inputs
    }

    /// How many test processes run at a time. `swift test` has its package to itself.
    var jobs: Int { engine == .direct ? max(1, request.options.jobs) : 1 }

    /// Whether the caller wants no more.
    var isCancelled: Bool { Task.isCancelled }

    /// When the time for the whole run is over, unless something else has a time of its own.
    var deadline: RunClock.Instant { ownDeadline ?? begin + request.options.limits.run }

    /// What is left of the time for the whole run.
    var timeLeft: Duration { max(.zero, deadline - clock.now) }

    /// A time as a person reads it.
    static func seconds(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }

    /// Runs one child as a step of the run.
    ///
    /// - Parameters:
    ///   - limit: How long it may take at most; the time left for the run is another limit.
    ///   - outlastsRun: Whether the time for the whole run is none of its limits; it has one of its own then.
    mutating func step(
        _ kind: RunStep.Kind,
        _ command: ChildCommand,
        limit: Duration? = nil,
        outlastsRun: Bool = false,
        silence: Duration? = nil,
        diagnosis: Duration = .zero,
        mergesStreams: Bool = false,
        _ observer: some ChildObserver
    ) async throws(RunnerError) -> ChildOutcome {
        let limits = Supervision.Limits(
            run: limit.map { outlastsRun ? $0 : min($0, timeLeft) } ?? timeLeft, silence: silence,
            grace: request.options.limits.grace, diagnosis: min(diagnosis, request.options.limits.grace / 2)
        )
        let outcome = try await ChildProcess(
            command, limits: limits, mergesStreams: mergesStreams, isolation: isolation
        ).run(observer)
        record(kind, command, outcome)
        return outcome
    }

    /// Notes down a pass that begins, and answers its place.
    @discardableResult
    mutating func open(_ pass: TestPass) -> Int {
        passes.append(pass)
        return passes.count - 1
    }

    /// Notes down the steps of a pass that has ended.
    mutating func close(_ number: Int, steps: Range<Int>, _ diagnosis: Diagnosis?) {
        passes[number].steps = Array(steps)
        passes[number].diagnosis = diagnosis
    }

    /// Forgets the step that ended last, which says nothing about the package.
    mutating func forgetLastStep() { steps.removeLast() }

    /// Notes down a step that has ended.
    mutating func record(_ kind: RunStep.Kind, _ command: ChildCommand, _ outcome: ChildOutcome) {
        steps.append(
            RunStep(
                kind: kind, arguments: command.words, duration: outcome.duration, termination: outcome.termination,
                wasTimedOut: outcome.wasTimedOut
            )
        )
        for entry in outcome.leaked {
            notes.append(
                Note(.processLeaked, subject: entry.name, detail: "process \(entry.pid) outlived the \(kind) step")
            )
        }
    }
}
