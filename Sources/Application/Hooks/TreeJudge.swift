import Evidence
import Foundation
package import Gate
package import Repository
package import RunModel
package import SettingsFile
import Storage
package import TestRunning

/// Judges trees of a repository: from the store where they are known, else in its shadow work tree. The user's files are
/// never involved.
package struct TreeJudge: Sendable {
    let process: ProcessContext
    package let checkpoint: Checkpoint
    package let repository: GitRepository
    /// Where the package lies below the top of the repository.
    package let subpath: PackageSubpath
    /// What was said on the command line.
    package var flags = SettingsFlags()
    /// Whether to run the tests of a tree that is known.
    package var isFresh = false
    /// Who is asked for a verdict on a tree that is not known here; `nil` if nobody is.
    package var server: ServerVerdicts?
    /// Whether to name the variables that the tests do not get, where they are run.
    var isVerbose = false

    package init(
        process: ProcessContext, checkpoint: Checkpoint, repository: GitRepository, subpath: PackageSubpath,
        flags: SettingsFlags = SettingsFlags(), isFresh: Bool = false, server: ServerVerdicts? = nil,
        isVerbose: Bool = false
    ) {
        self.process = process
        self.checkpoint = checkpoint
        self.repository = repository
        self.subpath = subpath
        self.flags = flags
        self.isFresh = isFresh
        self.server = server
        self.isVerbose = isVerbose
    }

    /// What is to be judged.
    package struct Subject: Sendable {
        package let tree: ObjectID
        package var revision: Revision
        let head: BaselineFinder.Head
        /// The base that somebody named.
        package var base: String?
        package var tests = TestChoice()
        /// Whether per-test coverage is recorded, by running the tests of Swift Testing once more, one at a time.
        package var mapping = TestMapping.none
        /// How long all of it may take.
        var budget: Duration?

        package init(
            tree: ObjectID, revision: Revision, head: BaselineFinder.Head, base: String? = nil,
            tests: TestChoice = TestChoice(), mapping: TestMapping = .none
        ) {
            self.tree = tree
            self.revision = revision
            self.head = head
            self.base = base
            self.tests = tests
            self.mapping = mapping
        }
    }

    /// A verdict, by where it is from.
    package enum Answer: Sendable {
        /// The tree was known.
        case known(KnownRun)
        /// The server knew it.
        case told(ServerVerdict)
        /// The tests were run.
        case ran(InterruptibleJudgement)

        /// The exit status that tells what the gate says.
        var exitStatus: ExitStatus {
            switch self {
            case .known(let known): known.verdict.exitStatus
            case .told(let told): told.exitStatus
            case .ran(let watched): watched.judgement.verdict.exitStatus
            }
        }

        /// The run, if the tests were run.
        package var watched: InterruptibleJudgement? {
            if case .ran(let watched) = self { watched } else { nil }
        }

        /// Ends the command with the status that tells the verdict.
        package func conclude(exitZero: Bool = false) throws {
            switch self {
            case .ran(let watched): try watched.conclude(exitZero: exitZero)
            case .known, .told:
                if !exitZero, exitStatus != .passed { throw exitStatus }
            }
        }
    }

    /// The settings of a tree, and the name of its project.
    package func context(of tree: ObjectID) async throws -> (settings: Settings, project: String) {
        let loader = SettingsLoader(process: process)
        let places = SettingsPlaces(subpath: subpath)
        for folder in places.folders {
            try places.check(try await repository.names(in: tree, of: folder).compactMap(\.text), in: folder)
        }
        // The settings of the tree that is judged, not of what lies in the working copy.
        let bytes = try await loader.bytes(at: subpath.path(SettingsLoader.fileName), in: tree, of: repository)
        let file = try bytes.map { try loader.read($0) } ?? Settings()
        let settings = try Settings.resolve(file: file, environment: process.environment, flags: flags)
        let project = try await ProjectName.find(
            chosen: settings.project.value,
            manifest: try await repository.file(at: subpath.path("Package.swift"), in: tree),
            in: repository, at: subpath)
        return (settings, project)
    }

    /// Answers from the store or by the server, or checks the tree out and runs its tests.
    package func judge(_ subject: Subject) async throws -> Answer {
        let (answer, settings, inputs, finder) = try await look(for: subject)
        if let answer { return answer }
        return .ran(try await run(subject, settings, inputs, finder))
    }

    /// Leaves out the tests that need not run for a tree, by the per-test coverage of an earlier run; without such a run, none.
    package func deselect(in subject: inout Subject, project: String) async throws {
        let found = try await finder.find(for: subject.tree, project: project)
        subject.tests.deselected = found?.tests
        subject.tests.deselectedLines = found?.lines
    }

    private var finder: DeselectedTestsFinder {
        DeselectedTestsFinder(
            process: process, home: checkpoint.home, repository: repository, subpath: subpath)
    }

    /// What a selection would leave out of a full run; `nil` also where git cannot compare the tree, which is tested all the same.
    private func trial(of subject: Subject, project: String) async throws -> DeselectedTests? {
        guard !subject.tests.isPartial else { return nil }
        return try? await finder.find(for: subject.tree, project: project)?.tests
    }

    /// Answers from the store or by the server alone; `nil` when the tests would have to be run.
    func known(_ subject: Subject) async throws -> Answer? { try await look(for: subject).answer }

    private func look(
        for subject: Subject
    ) async throws -> (answer: Answer?, settings: Settings, inputs: RunInputs, finder: BaselineFinder) {
        let (settings, project) = try await context(of: subject.tree)
        var finder = BaselineFinder(
            process: process, home: checkpoint.home, repository: repository, subpath: subpath,
            project: project, swiftOverride: settings.swift.value)
        finder.recorded = subject.revision.attempt == nil ? subject.revision.branch : nil
        let inputs = try await TreeInputs(process: process, home: checkpoint.home, repository: repository)
            .inputs(of: subject.tree, subpath: subpath, settings: settings)
        if !isFresh, !subject.tests.selection.isPartial, subject.base == nil {
            let question = KnownRuns.Question(
                tree: subject.tree.hexadecimal, project: project, inputs: inputs, settings: settings, finder: finder,
                head: subject.head, revision: try await placed(subject.revision))
            let known = KnownRuns(process: process, home: checkpoint.home)
            if let found = try await known.answer(to: question) { return (.known(found), settings, inputs, finder) }
            let told = try await server?.answer(to: question, of: subject.revision)
            return (told.map { .told($0) }, settings, inputs, finder)
        }
        return (nil, settings, inputs, finder)
    }

    /// The revision with the history of its commit, by which the store puts the states of a branch in order.
    private func placed(_ revision: Revision) async throws -> Revision {
        guard let commit = revision.commit.flatMap({ ObjectID($0) }) else { return revision }
        var placed = revision
        placed.history = try await repository.history(of: commit)
        return placed
    }

    /// This process, for others that wait for it.
    var lockOwner: LockOwner { process.lockOwner }

    private func run(
        _ subject: Subject, _ settings: Settings, _ inputs: RunInputs, _ finder: BaselineFinder
    ) async throws -> InterruptibleJudgement {
        if isVerbose { settings.tellWithheld(process) }
        let begin = SuspendingClock.now
        let timeout = subject.budget ?? .seconds(3600)
        let shadow = try await ShadowTree.open(in: repository, owner: lockOwner, timeout: timeout) { holder in
            StandardStreams.tell("kanmon: waiting for \(holder?.description ?? "another run")")
        }
        let laidOut = try await shadow.materialize(subject.tree)
        let folder = subpath.folder(in: laidOut.path)
        guard FileManager.default.fileExists(atPath: folder + "/Package.swift") else {
            throw subpath.missing(in: subject.tree)
        }
        let finding = try await finder.find(subject.head, named: subject.base)
        var baseline: Baseline? = finding.baseline
        let (comparison, notes) = try await finder.comparison(
            of: subject.revision, completing: &baseline, by: settings.policy, isNamed: subject.base != nil)
        var revision = try await placed(subject.revision)
        if subject.base != nil, try await finder.isOnDefaultBranch(subject.head) { revision.attempt = .otherBase }
        if settings.namesBuild { revision.attempt = .otherBuild }
        let forge = try await repository.forge()
        repository.rest()
        let (root, top) = (process.real(folder), process.real(laidOut.path))
        let place = TreePlace(
            repository: repository, tree: subject.tree, top: top, packageRoot: root, isLaidOut: true, excluded: [],
            generated: settings.generated.map { Glob($0.value) },
            resolved: ResolvedFile(
                packageRoot: root,
                scratchPath: TestRunner.scratchPath(cacheHome: checkpoint.home.cache, packageRoot: root)))
        let differences = laidOut.differences.map(\.description) + place.tested.strangers([root])
        revision.folder = subpath.folder
        if !differences.isEmpty { revision.tree = nil }
        let package = TestedPackage(
            root: root, project: finder.project, revision: revision, tree: place.tested,
            inputs: inputs, repositoryTop: top,
            repositoryCeiling: process.real((laidOut.path as NSString).deletingLastPathComponent),
            notes: laidOut.notes + (differences.isEmpty ? [] : [.treeNotExact(differences)]) + finding.notes + notes,
            gaps: laidOut.gaps)
        var work = Checkpoint.Subject(
            package: package, settings: settings, tests: subject.tests, mapping: subject.mapping,
            baseline: baseline, comparison: comparison, forge: forge)
        work.deadline = subject.budget.map { begin + $0 }
        work.trial = try await trial(of: subject, project: finder.project)
        work.authors = AuthorFinder(
            repository: repository, subpath: subpath, root: root, revision: revision, owners: baseline?.owners,
            policy: settings.policy)
        work.causes = CauseFinder(
            process: process, home: checkpoint.home, repository: repository, subpath: subpath,
            project: finder.project, root: root, isLaidOut: true, settings: settings, baseline: baseline,
            changes: comparison?.changes, deadline: work.deadline)
        let timeLeft = subject.budget.map { max(.zero, $0 - (SuspendingClock.now - begin)) }
        let watched = try await InterruptibleRun(process: process).judge(work, at: checkpoint, budget: timeLeft)
        shadow.close()
        return watched
    }
}

extension TreeJudge {
    /// Prints the report of an answer; one line is enough for a tree that is known to pass.
    package func show(_ answer: Answer, of subject: Subject, json: Bool = false) throws {
        let presentation = Presentation(process: process)
        switch answer {
        case .ran(let watched): try presentation.show(watched.judgement, json: json)
        case .told(let told): show(told, of: subject)
        case .known(let known):
            StandardStreams.tell("kanmon: \(known.provenance(now: process.now))")
            if known.verdict.decision == .passed, !json {
                StandardStreams.print(known.headline)
            } else {
                try presentation.show(try judgedRun(behind: known), json: json)
                if known.verdict.decision == .failed { suggestFreshRun(of: subject) }
            }
        }
    }

    /// Prints what the server said; where something failed, also where to read more of it.
    private func show(_ told: ServerVerdict, of subject: Subject) {
        StandardStreams.tell("kanmon: \(told.provenance(now: process.now))")
        StandardStreams.print(told.headline)
        guard told.decision == .failed else { return }
        if let page = told.page { StandardStreams.tell("kanmon: more: \(page)") }
        suggestFreshRun(of: subject)
    }

    private func suggestFreshRun(of subject: Subject) {
        // What is judged now, whichever commit or stage of the tree the known run was of.
        let revision = subject.revision.commit.map { "--commit \($0.prefix(12))" } ?? "--staged"
        StandardStreams.tell("Try: kanmon run \(revision) --fresh, to run the tests again")
    }

    /// Everything that is known of the run behind an answer.
    package func judgedRun(behind answer: Answer) throws -> JudgedRun {
        switch answer {
        case .ran(let watched): watched.judgement.judged
        case .known(let known): try judgedRun(behind: known)
        case .told(let told):
            throw Problem(
                .ioError, "the evidence of run \(told.statement.run) is on \(told.host)",
                hint: "run the tests here with --fresh")
        }
    }

    private func judgedRun(behind known: KnownRun) throws -> JudgedRun {
        guard var found = try RunStore.reading(checkpoint.home.database).run(known.summary.id) else {
            throw Problem(
                .ioError, "run \(known.summary.id) is not in the store any more", hint: "run again with --fresh")
        }
        found.verdict = known.verdict
        return found
    }
}
