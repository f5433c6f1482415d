import Delivery
package import Evidence
import Foundation
package import Gate
import Mutation
package import RunModel
package import SettingsFile
package import Storage
import TestResults
package import TestRunning

/// The outcome of judging and storing one run.
package struct Judgement: Sendable {
    /// The run, and what the gate says of it.
    package let judged: JudgedRun
    /// Why the store did not take it, if it did not: a warning, because the run directory is the truth.
    package let storeFailure: Problem?
    /// Whether the store had the run already.
    package var isKnown = false

    package var run: TestRun { judged.run }
    package var verdict: Verdict { judged.verdict }
}

/// The way of a run through all rooms: run the tests, read the evidence, judge, store.
package struct Checkpoint: Sendable {
    package let process: ProcessContext
    package let home: Home
    /// Where the runs that are stored here are delivered; `nil` if they stay here.
    package var delivery: RunDelivery?

    package init(process: ProcessContext, home: Home, delivery: RunDelivery? = nil) {
        (self.process, self.home, self.delivery) = (process, home, delivery)
    }

    /// What is to be judged.
    package struct Subject: Sendable {
        /// The package as it lies in its folder.
        package var package: TestedPackage
        /// Engine, limits, environment and policy.
        var settings: Settings
        /// Which tests to run.
        package var tests = TestChoice()
        /// Whether to take the products of a build elsewhere.
        package var skipsBuild = false
        /// Whether the tests of Swift Testing are mapped.
        package var mapping = TestMapping.none
        /// What a selection by per-test coverage would leave out, to be noted down and not done.
        package var trial: DeselectedTests?
        /// What the run is compared with; `nil` outside of git.
        package var baseline: Baseline?
        /// Which lines changed since, and what is known of them; `nil` when there is no base.
        package var comparison: ChangeComparison?
        /// The repository on a forge, as its remote names it.
        var forge: ForgeRepository?
        /// Who finds the authors of lines at which tests fail that nobody owns; `nil` outside of git.
        package var authors: AuthorFinder?
        /// Who finds out why tests failed; `nil` outside of git, and where nothing is built here.
        package var causes: CauseFinder?
        /// When whoever waits for the run does not wait any more; `nil` for never.
        var deadline: SuspendingClock.Instant?

        package init(
            package: TestedPackage, settings: Settings, tests: TestChoice = TestChoice(), skipsBuild: Bool = false,
            mapping: TestMapping = .none, trial: DeselectedTests? = nil, baseline: Baseline? = nil,
            comparison: ChangeComparison? = nil, forge: ForgeRepository? = nil, authors: AuthorFinder? = nil,
            causes: CauseFinder? = nil, deadline: SuspendingClock.Instant? = nil
        ) {
            self.package = package
            self.settings = settings
            self.tests = tests
            self.skipsBuild = skipsBuild
            self.mapping = mapping
            self.trial = trial
            self.baseline = baseline
            self.comparison = comparison
            self.forge = forge
            self.authors = authors
            self.causes = causes
            self.deadline = deadline
        }
    }

    /// How long a run of the subject will take; `nil` where nobody knows, or where only a part of the tests is wanted.
    func expectedTime(of subject: Subject) -> ExpectedTime? {
        guard !subject.testsBySettings.isPartial, let machine = process.machine else { return nil }
        return ExpectedTime(of: subject.package.project, on: machine, in: home.database)
    }

    /// Builds and tests the package, and judges what came of it.
    ///
    /// - Parameter expected: How long that will take, for those who follow the run.
    func judge(
        _ subject: Subject, expecting expected: ExpectedTime?, progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws -> Judgement {
        var request = try request(subject)
        request.expected = expected
        let progressFiles = ProgressFiles(path: home.progressFiles) { process.now }
        request.progressFiles = progressFiles
        // Until the run is in the store, whoever follows it is told that it is being judged.
        defer { progressFiles.remove(request.runID) }
        let report = delivery?.follow(request.runID, of: request.package.revision, in: progressFiles)
        defer { report?.cancel() }
        let directory = try await TestRunner().run(request, progress: progress)
        // These only save room.
        try? BlobStore(path: home.blobs).share(sourcesOf: directory)
        BuildFolders(cacheHome: home.cache).prune(
            unusedSince: process.now.addingTimeInterval(-86_400 * Double(RetentionDefaults.buildFolderDays)),
            mostBytes: RetentionDefaults.buildBytes, now: process.now)
        do {
            return try judge(directory)
        } catch let error as PolicyError {
            // Nothing can be judged by this policy, today or when the store is rebuilt.
            try RunArchive(home: home).remove(directory)
            throw subject.settings.located(error)
        }
    }

    /// Judges what raw profiles say of the package as it was built, as a run does behind its tests.
    package func judge(_ subject: Subject, profiles: String) async throws -> Judgement {
        try judge(try await TestRunner().measure(try request(subject), profiles: profiles))
    }

    /// Builds the package and its tests for a run elsewhere.
    func build(_ subject: Subject, progress: @escaping @Sendable (RunProgress) -> Void) async throws -> BuildReport {
        try await TestRunner().build(try request(subject), progress: progress)
    }

    /// Tries the mutants of a change, in a folder that nobody else uses.
    func mutate(
        _ subject: Subject, _ mutation: MutationRequest, progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws -> MutationReport {
        try await TestRunner().mutate(try request(subject), mutation, progress: progress)
    }

    /// Builds the package and repeats some tests, in a folder that nobody else uses.
    ///
    /// - Parameter limit: How long everything before the tests may take, if that is less than the run allows.
    func trial(
        _ subject: Subject, _ trial: TrialRequest, limit: Duration,
        progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws -> TrialReport {
        var request = try request(subject)
        request.options.limits.run = min(limit, request.options.limits.run)
        request.options.limits.lock = min(limit, request.options.limits.lock)
        // Nothing of it is kept that would have to be ended in order.
        request.options.limits.grace = .seconds(1)
        return try await TestRunner().trial(request, trial, progress: progress)
    }

    /// Repeats tests until they have proven themselves; nothing of it is stored.
    func stress(
        _ subject: Subject, _ stress: StressRequest, of names: [String],
        progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws -> StressReport {
        try await TestRunner().stress(try request(subject), stress, of: names, progress: progress)
    }

    /// Judges a run directory that lies in its place, by the policy in it, and stores the result; with it what waited
    /// for a store that works.
    ///
    /// - Parameter known: What is in it, where that is known already.
    func judge(_ directory: RunDirectory, known: TestRun? = nil) throws -> Judgement {
        // First of all, so that a run that is killed from here on is delivered by a later command.
        let isRecorded = delivery?.record(directory) == true
        let judgement = try store(directory, known: known)
        delivery?.note(judgement.judged)
        // It was delivered when it was stored.
        if judgement.isKnown, isRecorded { delivery?.outbox.remove(judgement.run.id) }
        if judgement.storeFailure == nil { ingestSpooledRuns(except: judgement.run.id) }
        return judgement
    }

    /// Judges and stores the runs that a store has refused before. One that cannot be read goes on waiting.
    func ingestSpooledRuns(except own: RunID? = nil) {
        let spool = Spool(home)
        for entry in spool.waiting().filter({ $0.id != own }).prefix(Spool.most) {
            guard FileManager.default.fileExists(atPath: entry.directory.path) else {
                spool.remove(entry.id)
                continue
            }
            if let judgement = try? store(entry.directory), judgement.storeFailure == nil {
                StandardStreams.tell("kanmon: the waiting run \(entry.id.short) is stored now")
            }
        }
    }

    /// What earlier runs of the same sources covered; a store that cannot be read knows of none, and is told of as it
    /// refuses the run.
    private func lineHistory(before run: TestRun) -> LineHistory {
        guard home.hasStore else { return LineHistory() }
        return (try? run.lineHistory { try RunStore.reading(home.database) }) ?? LineHistory()
    }

    /// Judges a run directory and stores the result, and nothing else. Its manifest is read once.
    ///
    /// - Parameters:
    ///   - known: What is in it, where that is known already.
    ///   - place: Where the directory belongs, if it does not lie there yet. It is moved there before the run is stored, and waits there
    ///     for a store that works; where another one is, once it is stored, as that gives way only to what is.
    ///   - whenJudged: Is done when the verdict is known, and before anything is stored or moved; what it throws ends all of it.
    /// - Throws: `PlaceLock.Changed` if its place was given to another run meanwhile: nothing is stored or moved then.
    package func store(
        _ given: RunDirectory, known: TestRun? = nil, movingTo place: RunDirectory? = nil,
        whenJudged: (Verdict) throws -> Void = { _ in }
    ) throws -> Judgement {
        // Whoever decided that the run may have its place has seen this there, and nothing that comes while it is judged.
        let before = try place?.manifestDigest()
        let directory = try given.remembered()
        var run = try known ?? TestRun.read(from: directory)
        run.project = try ProjectNames(home).current(run.project)
        // Nothing is judged by it; that a file is damaged is a gap of the run already.
        run.trial = (try? KeptJSON.deselectedTests.read(from: directory)).flatMap {
            SelectionTrial(of: run, without: $0)
        }
        let verdict = try Verdict(judging: run, in: directory, history: lineHistory(before: run)) { policy in
            // What a rule needs is no warning when it fails: without the past nothing could be said by it.
            try policy.past(of: run) { try RunStore(path: home.database) }
        }
        try whenJudged(verdict)
        let lock = place.map { PlaceLock(around: $0) }
        defer { withExtendedLifetime(lock) {} }
        guard try place?.manifestDigest() == before else { throw PlaceLock.Changed() }
        let path = place?.path ?? directory.path
        let judged = JudgedRun(run: run, verdict: verdict, runDirectory: path)
        let spool = Spool(home)
        let replaces = place?.isThere ?? false
        // What is to be replaced may wait there itself.
        if !replaces { spool.add(run.id, at: path) }
        if let place, !replaces {
            do throws(EvidenceError) {
                try place.take(directory.path, replacing: false)
            } catch {
                // Where somebody who takes no lock has made it at this moment, that may wait.
                if !place.isThere { spool.remove(run.id) }
                throw error
            }
        }
        let outcome: IngestOutcome
        do {
            let store = try RunStore(path: home.database)
            outcome = try store.ingest(run, verdict: verdict, runDirectory: path, now: process.now)
        } catch {
            // That will not pass by waiting.
            if error.isOfAnother { throw error }
            let failure = Problem(explaining: error) ?? Problem(.ioError, "\(error)")
            return Judgement(judged: judged, storeFailure: failure)
        }
        if replaces { try place?.take(directory.path, replacing: true) }
        spool.remove(run.id)
        return Judgement(judged: judged, storeFailure: nil, isKnown: outcome == .alreadyPresent)
    }
}

extension StorageError {
    /// Whether the file is no store of this version of Kanmon.
    fileprivate var isOfAnother: Bool {
        switch self {
        case .newerVersion, .notAStore: true
        default: false
        }
    }
}

extension TestRun {
    /// Whether it is judged by nothing but what is in it: a person's machine is told the verdict of its run, and by that could
    /// find out how the tests of others ended that it may not see.
    var isJudgedAlone: Bool { delivery?.isAttested == false }
}

extension Policy {
    /// What this policy has to know of the runs before `run`; the store is opened only if there is anything to know.
    ///
    /// - Throws: What keeps the store from answering, where the verdict depends on it.
    package func past(of run: TestRun, in store: () throws -> RunStore) throws -> PastResults {
        let tests = testsWithPast(in: run)
        guard !tests.isEmpty, !run.isJudgedAlone else { return PastResults() }
        guard asksThePast else { return (try? store().past(of: tests, before: run)) ?? PastResults() }
        return try store().past(of: tests, before: run)
    }
}

extension TestRun {
    /// What the runs before this one covered of the same sources; the store is opened only if it may be judged by them.
    ///
    /// - Throws: What keeps the store from answering.
    func lineHistory(in store: () throws -> RunStore) throws -> LineHistory {
        try isJudgedAlone ? LineHistory() : store().lineHistory(before: self)
    }
}
