import Evidence
import Foundation
import RunModel
import TestResults

extension RunExecution {
    /// Tests as they can be started, and which there are.
    struct Tested: Sendable {
        /// How they are started.
        var invocation: TestInvocation
        /// Which there are; `nil` where they were not listed.
        var discovered: DiscoveredTests?
        /// What they are tests of.
        var subject: Subject
        /// The package's own main, if it has one.
        var main: String?
    }

    /// Chooses the engine, has the tests heard, and lists them; `nil` where nothing was built that could run any.
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
        // Not beside the tests: XCTest makes every test case for its list, and what one takes for itself, a port or a file,
        // would be taken.
        if let gap = invocation.interop.gap(toolsVersion: subject.package.toolsVersion) { gaps.append(gap) }
        // Swift Build makes a main for each runner, whatever the package has.
        let main = invocation.products == nil ? ownMain(of: subject.package.modules) : nil
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

    /// Lists the tests and runs them: all that were asked for, then what a crash or a time limit left behind, then what
    /// failed, as often as that is allowed.
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
        // The map of a few tests would take the place of that of all.
        if !deselected.isEmpty { invocation.recordsTests = false }
        let plans = try firstPlans(discovered, invocation, subject.package.modules, without: deselected)
        guard !plans.isEmpty, !isCancelled else { return }

        progress(.began(.test))
        let begin = clock.now
        let stray = StrayProfile(packageRoot: request.package.root)
        var queue = PassQueue(
            plans, discovered: discovered, retries: request.options.retries, products: invocation.products)
        try await run(&queue, invocation, discovered, subject)
        // Nobody came to them: that they were to run is kept, so that they are missed.
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
                // What cannot be written down need not be run.
                group.cancelAll()
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Leaves out the test targets that a change cannot break, and notes each.
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

    /// What targets depend on by their sources alone.
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

    /// Passes for tests, all there are where none are named: a process for each job, or one for all of them.
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

    /// What to begin with; nothing when there is a reason not to begin, which is noted.
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
            // A shard that no test falls to: a pass of nothing, and not tests that were to run and did not.
            open(TestPass(reason: .first, tests: []))
        }
        progress(.discovered(chosen.count))
        return plans(chosen, of: discovered, invocation)
    }

    /// Opens the next pass: its place among the others is that of its beginning, before any that it leaves work for.
    ///
    /// - Parameters:
    ///   - limits: How long its processes may take; `nil` for what the run allows.
    ///   - isTold: Whether the progress of its tests is that of the run.
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

    /// Notes down how a pass ended.
    private mutating func end(_ ending: PassRun.Ending) throws(RunnerError) {
        let firstStep = steps.count
        for (command, outcome) in ending.steps {
            record(.test, command, outcome)
            if case .exited = outcome.termination, let folder = TestInvocation.profileFolder(of: command) {
                expectedProfiles.append(folder)
            }
            // What has not begun by now never will.
            if outcome.cause == .overdue { timedOut("the tests", outcome) }
        }
        close(ending.run.number, steps: firstStep..<steps.count, ending.diagnosis)
        let folder = ending.run.files.passFolder.map { "\($0)/" } ?? ""
        noteWhatWasCut(ending.dropped, folder + RunFiles.Name.transcript)
        try hearSanitizer(ending.run.files)
    }

    /// Runs one pass by itself and keeps nothing of its evidence.
    ///
    /// - Parameter testLimit: How long one test may take; `nil` for what the run allows.
    /// - Returns: The tests that came to an end; those that were running when a time limit for one test ended the process; and whether
    ///   the time was over, or somebody cancelled it, before all had come to an end.
    mutating func runOnce(
        _ plan: PassPlan, _ invocation: TestInvocation, _ testLimit: Duration?, _ subject: Subject
    ) async throws(RunnerError) -> (ended: [TestResult], waiting: [TestID], isCutShort: Bool) {
        var limits = request.options.limits
        limits.test = testLimit ?? limits.test
        let pass = try begin(plan, invocation, limits: limits, isTold: false)
        defer {
            // What stays goes with the folder that it is in.
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
        // What the end of the time has ended has not failed by that.
        return (results.ended.filter { !isCutShort || $0.outcome != .timedOut }, waiting, isCutShort)
    }

    /// What TestResults makes of a pass.
    func report(of number: Int, _ subject: Subject) throws(RunnerError) -> PassReport {
        let manifest = manifest(of: subject, artifacts: try evidence(of: passes[number]), sources: [])
        return try keeping { () throws(EvidenceError) in
            try PassReport(of: number, manifest: manifest, in: RunDirectory(path: writer.path))
        }
    }

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
