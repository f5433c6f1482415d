import Evidence
import Foundation
import RunModel
import TestResults

extension RunExecution {
    /// How the tests are started, and the list of them.
    struct Tested: Sendable {
        /// The command that starts them.
        var invocation: TestInvocation
        /// The list of the tests; `nil` if they could not be listed.
        var discovered: DiscoveredTests?
        /// The package that they test.
        var subject: Subject
        /// The package's own main, if it has one.
        var main: String?
    }

    /// Chooses the engine, loads the observer into the tests, and lists them; `nil` if the build made nothing that can
    /// run a test.
    mutating func discover(
        _ built: TestInvocation,
        _ installation: ToolchainInstallation,
        _ subject: Subject
    ) async throws(RunnerError) -> Tested? {
        var invocation = built
        if !measuresCoverage { invocation.isProfiled = false }
        if let products = invocation.products {
            guard !products.runners.isEmpty else { return nil }
        } else if engine == .direct, !FileManager.default.fileExists(atPath: invocation.testBinary) {
            guard request.options.fallsBackToSwiftTest else { throw .testBinaryNotFound(path: invocation.testBinary) }
            engine = .swiftTest
        }
        invocation.libraries = await preloaded(installation)
        if let gap = invocation.interop.gap(toolsVersion: subject.package.toolsVersion) { gaps.append(gap) }
        // Swift Build makes a main for each runner, whatever the package has.
        let main = invocation.products == nil ? ownMain(of: subject.package.modules) : nil
        // Not while tests run: to list them, XCTest creates every test case, and a case may take a port or a file that
        // a running test needs.
        let discovered =
            invocation.products == nil
            ? try await list(invocation, ownMain: main, subject.package.modules) : try await list(&invocation)
        invocation.runsSwiftTesting =
            main == nil || discovered?.entries.contains { $0.library == .swiftTesting } != false
        testIDs = discovered.map { list in
            Dictionary(list.entries.map { (Name($0.name), $0.id) }, uniquingKeysWith: { first, _ in first })
        }
        let found = Tested(invocation: invocation, discovered: discovered, subject: subject, main: main)
        tested = found
        return found
    }

    /// Lists the tests and runs them: first all that were requested, then those that a crash or a time limit kept from
    /// running, then those that failed, as often as retries are allowed.
    mutating func test(
        _ built: TestInvocation,
        _ installation: ToolchainInstallation,
        _ subject: Subject
    ) async throws(RunnerError) {
        guard let found = try await discover(built, installation, subject) else { return }
        var invocation = found.invocation
        let discovered = found.discovered
        if let discovered { try judgeDiscovery(discovered, subject.package.modules, main: found.main) }
        let deselected = deselect(in: discovered, toolchain: installation.toolchain)
        // The map of these tests would replace the map of all tests.
        if !deselected.isEmpty { invocation.recordsTests = false }
        let plans = try firstPlans(discovered, invocation, subject.package.modules, without: deselected)
        guard !plans.isEmpty, !isCancelled else { return }

        progress(.began(.test))
        let begin = clock.now
        let stray = StrayProfile(packageRoot: request.package.root)
        var queue = PassQueue(
            plans, discovered: discovered, retries: request.options.retries, products: invocation.products)
        try await run(&queue, invocation, discovered, subject)
        // These passes never began. They are recorded, so that their tests count as missing.
        for plan in queue.unbegun where plan.tests != nil {
            open(TestPass(reason: plan.reason, tests: plan.tests?.map(\.id)))
        }
        try stray.collect(into: files.profiles)
        progress(.ended(.test, clock.now - begin))
        if request.options.mapping.processes > 0, measuresCoverage, !isEstimated, let discovered, isMapDue {
            try await map(invocation, discovered, subject)
        }
    }

    /// Runs passes until none is left, as many at a time as there are jobs.
    mutating func run(
        _ queue: inout PassQueue,
        _ invocation: TestInvocation,
        _ discovered: DiscoveredTests?,
        _ subject: Subject
    ) async throws(RunnerError) {
        let failure: RunnerError? = await withTaskGroup(of: Result<PassRun.Ending, RunnerError>.self) { group in
            var running = 0
            do throws(RunnerError) {
                while true {
                    while running < jobs, !isCancelled, timeLeft > .zero,
                        let plan = queue.next(whileOthersRun: running > 0)
                    {
                        let pass = try begin(plan, invocation)
                        group.addTask { await pass.result() }
                        running += 1
                    }
                    guard let ending = try await group.next()?.get() else { return nil }
                    running -= 1
                    try end(ending)
                    let expected = ending.run.plan.tests?.count ?? discovered?.entries.count
                    guard discovered != nil else { continue }
                    let isComplete = ending.isSuccess && ending.ended == expected
                    queue.take(
                        isComplete ? PassReport(settled: ending.ended) : try report(of: ending.run.number, subject),
                        of: ending.run.plan)
                }
            } catch {
                // Without its records a further pass is of no use.
                group.cancelAll()
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Leaves out the test targets that the change cannot break, and adds a note for each.
    mutating func narrow(to change: ChangedFiles, _ modules: [Module]) {
        switch AffectedTests(of: change, in: modules, undeclared: undeclared(modules).targets) {
        case .all(let reason): progress(.chose("all test targets: \(reason)"))
        case .some(let targets):
            selection.targets = targets
            measuresCoverage = false
            progress(.chose("test targets that depend on what changed: \(targets.joined(separator: ", "))"))
            let others = modules.map(\.name).filter { name in
                modules.contains { $0.name == name && $0.kind == .test } && !targets.contains(name)
            }
            notes += others.map { name in
                Note(.targetNotAffected, subject: name, detail: "not run: nothing that it depends on changed")
            }
        }
    }

    /// The dependencies of targets that only their sources show, not the manifest.
    func undeclared(_ modules: [Module]) -> UndeclaredDependencies {
        var dependencies = UndeclaredDependencies(in: modules)
        for module in modules {
            for path in module.sourcePaths {
                if let source = FileManager.default.contents(atPath: "\(request.package.root)/\(path)") {
                    dependencies.read([UInt8](source), of: module.name)
                } else {
                    dependencies.readNothing(of: module.name)
                }
            }
        }
        return dependencies
    }

    /// Passes for the given tests, or for all tests if `nil`: one process for each job, or one for all of them.
    private func plans(
        _ tests: [DiscoveredTests.Entry]?, of discovered: DiscoveredTests?, _ invocation: TestInvocation
    ) -> [PassPlan] {
        if jobs > 1, let discovered {
            let plans = PassPlan.distributed(
                tests ?? discovered.entries, of: discovered, over: jobs, durations: request.durations)
            if plans.count > 1 { return plans }
        }
        if let products = invocation.products, tests == nil { return products.plans(of: discovered) }
        return tests.map { PassPlan.plans(.first, $0) } ?? [PassPlan(reason: .first)]
    }

    /// The passes to begin with; none if nothing can run, and then a gap says why.
    private mutating func firstPlans(
        _ discovered: DiscoveredTests?,
        _ invocation: TestInvocation,
        _ modules: [Module],
        without deselected: Set<TestID>
    ) throws(RunnerError) -> [PassPlan] {
        guard selection != Selection() else { return plans(nil, of: discovered, invocation) }
        guard let discovered else {
            gaps.append(Gap(.listUnavailable, detail: "the tests to choose from were not listed"))
            return []
        }
        let selector = try TestSelector(
            selection, modules: modules, rerun: request.tests.rerun, split: request.tests.split, deselected: deselected)
        for words in selector.titleWords(discovered) { progress(.chose(words)) }
        guard let chosen = selector.select(discovered) else { return plans(nil, of: discovered, invocation) }
        if chosen.isEmpty {
            let words = selection.words.joined(separator: ", ")
            gaps.append(Gap(.noTests, detail: "none of \(discovered.entries.count) tests was asked for: \(words)"))
            // An empty pass, because no test counts as missing here: a shard may get none.
            open(TestPass(reason: .first, tests: []))
        }
        progress(.discovered(chosen.count))
        return plans(chosen, of: discovered, invocation)
    }

    /// Opens the next pass. Passes are numbered in the order in which they begin, so a pass comes before those that
    /// finish its work.
    ///
    /// - Parameters:
    ///   - limits: How long its processes may take; `nil` for the limits of the run.
    ///   - isTold: Whether the progress of its tests is reported as that of the run.
    private mutating func begin(
        _ plan: PassPlan, _ built: TestInvocation, limits: RunLimits? = nil, isTold: Bool = true
    ) throws(RunnerError) -> PassRun {
        var invocation = built
        let folder = passes.isEmpty ? nil : "pass-\(passes.count + 1)"
        invocation.files.passFolder = folder
        if let folder { try makeDirectory("\(files.evidence)/\(folder)") }
        try makeDirectory(invocation.files.attachmentsOfPass)
        let commands = invocation.test(engine, plan)
        for folder in commands.compactMap(TestInvocation.profileFolder) { try makeDirectory(folder) }
        let (records, link) = (invocation.files.observerRecords, invocation.files.observerLink)
        try systemCall("link", link) { symlink(records, link) }
        var told = progress
        if !isTold { told = { _ in } }
        return PassRun(
            number: open(TestPass(reason: plan.reason, tests: plan.tests?.map(\.id), folder: folder)), plan: plan,
            commands: commands, files: invocation.files, limits: limits ?? request.options.limits,
            deadline: deadline, isolation: isolation, progress: told)
    }

    /// Records how a pass ended.
    private mutating func end(_ ending: PassRun.Ending) throws(RunnerError) {
        let firstStep = steps.count
        for (command, outcome) in ending.steps {
            record(.test, command, outcome)
            if case .exited = outcome.termination, let folder = TestInvocation.profileFolder(of: command) {
                expectedProfiles.append(folder)
            }
            // The time of the run is over, so nothing else will begin.
            if outcome.cause == .overdue { timedOut("the tests", outcome) }
        }
        close(ending.run.number, steps: firstStep..<steps.count, ending.diagnosis)
        let folder = ending.run.files.passFolder.map { "\($0)/" } ?? ""
        noteWhatWasCut(ending.dropped, folder + RunFiles.Name.transcript)
        try hearSanitizer(ending.run.files)
    }

    /// Runs one pass by itself and keeps none of its evidence.
    ///
    /// - Parameter testLimit: How long one test may take; `nil` for the limit of the run.
    /// - Returns: The tests that ended; those that were running when the time limit for one test ended the process; and
    ///   whether the pass was cut short, because the time of the run was over or the run was cancelled.
    mutating func runOnce(
        _ plan: PassPlan, _ invocation: TestInvocation, _ testLimit: Duration?, _ subject: Subject
    ) async throws(RunnerError) -> (ended: [TestResult], waiting: [TestID], isCutShort: Bool) {
        var limits = request.options.limits
        limits.test = testLimit ?? limits.test
        let pass = try begin(plan, invocation, limits: limits, isTold: false)
        defer {
            // A file that cannot be removed now is removed with its folder.
            if let folder = pass.files.passFolder { try? removeIfPresent("\(files.evidence)/\(folder)") }
            try? removeIfPresent(pass.files.attachmentsOfPass)
            try? removeIfPresent(pass.files.observerLink)
        }
        let ending = try await pass.result().get()
        try end(ending)
        let manifest = manifest(of: subject, artifacts: try evidence(of: passes[pass.number]), sources: [])
        let results = try keeping { () throws(EvidenceError) in
            try PassResults(of: pass.number, manifest: manifest, in: RunDirectory(path: writer.path))
        }
        let isCutShort = isCancelled || ending.diagnosis?.cause == .run
        let running = ending.diagnosis.map { $0.cause == .run ? [] : $0.running } ?? []
        let waiting = running.compactMap { testIDs?[Name($0.name)] }
        // A test that ran when the time of the run was over has not failed by a limit of its own.
        return (results.ended.filter { !isCutShort || $0.outcome != .timedOut }, waiting, isCutShort)
    }

    /// The results of a pass, as TestResults reads them from the evidence.
    func report(of number: Int, _ subject: Subject) throws(RunnerError) -> PassReport {
        let manifest = manifest(of: subject, artifacts: try evidence(of: passes[number]), sources: [])
        return try keeping { () throws(EvidenceError) in
            try PassReport(of: number, manifest: manifest, in: RunDirectory(path: writer.path))
        }
    }

    /// The libraries that are loaded into the tests; `nil` if they cannot be compiled, which is noted.
    mutating func preloaded(_ installation: ToolchainInstallation) async -> PreloadLibraries? {
        let compiler = PreloadCompiler(
            installation: installation, cacheDirectory: request.cacheDirectory, environment: environment.variables
        )
        do throws(PreloadUnavailable) {
            return try await compiler.libraries()
        } catch {
            notes.append(Note(.observerMissing, detail: error.detail))
            if request.options.interop == .fail {
                gaps.append(Gap(.assertionsUnheard, detail: "nothing can be loaded into the tests: \(error.detail)"))
            }
            return nil
        }
    }
}
