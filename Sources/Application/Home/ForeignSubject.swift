package import Evidence
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
import TestRunning

/// What is told of the reports of another tool: nothing in them says it.
package struct ReportOptions: Sendable {
    /// The project; `nil` for that of the settings or the package.
    var project: String?
    /// A settings file whose policy is used instead of that of the package.
    var policy: String?
    /// The commit whose tests wrote them.
    var commit: String?
    /// The branch to record.
    var branch: BranchName?
    /// What the commit is compared with.
    var base: String?
    /// What folders in them are called here.
    var maps: [PathMap] = []

    package init(
        project: String? = nil, policy: String? = nil, commit: String? = nil, branch: BranchName? = nil,
        base: String? = nil, maps: [PathMap] = []
    ) {
        self.project = project
        self.policy = policy
        self.commit = commit
        self.branch = branch
        self.base = base
        self.maps = maps
    }
}

/// What the reports of another tool are about, as far as it is known.
struct ForeignSubject: Sendable {
    var project: String
    var name: String
    /// The folder of the package, or of the settings where there is no package.
    var root: String
    var modules: [Module] = []
    /// What they are judged by.
    var policy: Settings
    var maps: [PathMap]
    /// The commit and branch that were told.
    var revision: Revision?
    /// What it is compared with, and what changed since; `nil` unless the commit is known here.
    var baseline: Baseline?
    var comparison: ChangeComparison?
    var notes: [Note] = []

    /// What makes two runs of the same files different; empty where nothing was told and there are no settings, so that the files
    /// alone decide.
    func identity() throws -> [String] {
        var told = maps.map { "map \($0.from)=\($0.to)" }
        if policy.policy != Policy() {
            let rules = try KeptJSON.policy.givenFile(policy.policy)
            told.append("policy \(String(decoding: rules.bytes, as: UTF8.self))")
        }
        if let commit = revision?.commit { told.append("commit \(commit)") }
        if let branch = revision?.branch { told.append("branch \(branch)") }
        let bases = [baseline?.commit] + (baseline?.others ?? []).map(\.baseline.commit)
        told += bases.compactMap { $0 }.map { "base \($0.commit)" }
        return told
    }

    /// Leaves what changed since each base to the files of a run.
    mutating func narrowComparisons(to run: TestRun) {
        comparison = comparison?.narrowed(to: run)
        for index in baseline?.others?.indices ?? 0..<0 {
            let changed = baseline?.others?[index].comparison?.narrowed(to: run)
            baseline?.others?[index].comparison = changed
        }
    }

    /// Looks at the folder given: a Swift package, or any folder with or without settings.
    static func find(
        _ told: ReportOptions, packagePath: String, _ checkpoint: Checkpoint
    ) async throws -> ForeignSubject {
        let process = checkpoint.process
        let root = process.real(packagePath)
        let loader = SettingsLoader(process: process)
        let draft = try told.policy.map { try loader.load(file: $0) }
        var subject: ForeignSubject
        if FileManager.default.fileExists(atPath: root + "/Package.swift") {
            let context = try await PackageContext.load(packagePath, process: process)
            let described = try await context.describe(process, home: checkpoint.home)
            subject = ForeignSubject(
                project: told.project ?? context.project, name: described.name, root: context.root,
                modules: described.modules, policy: draft ?? context.settings, maps: told.maps)
        } else {
            let settings = try loader.load(packageRoot: root)
            guard let project = told.project ?? settings.project.value else {
                throw Problem(
                    .usage, "neither a package nor settings here name the project", hint: "name it with --project")
            }
            subject = ForeignSubject(
                project: project, name: project, root: root, policy: draft ?? settings, maps: told.maps)
        }
        try await subject.takeRevision(told, checkpoint)
        return subject
    }

    /// Takes the commit that was told, and finds its base where there is a repository.
    private mutating func takeRevision(_ told: ReportOptions, _ checkpoint: Checkpoint) async throws {
        guard let commit = told.commit else {
            revision = told.branch.map { Revision(commit: nil, tree: nil, branch: $0.text, isDirty: false) }
            return
        }
        let environment = GitEnvironment(checkpoint.process.environment)
        guard let repository = try await GitRepository.discover(at: root, environment: environment) else {
            guard ObjectID(commit) != nil else {
                throw Problem(
                    .usage, "\(root) is not in a git repository, so that '\(commit)' is no commit",
                    hint: "name the whole id of the commit")
            }
            guard told.base == nil else {
                throw Problem(
                    .usage, "\(root) is not in a git repository, so that there is no base", hint: "leave out --base")
            }
            revision = Revision(commit: commit, tree: nil, branch: told.branch?.text, isDirty: false)
            return
        }
        let subject = try await TreeJudge.Subject.named(commit, in: repository)
        var revision = subject.revision
        if let branch = told.branch { revision.branch = branch.text }
        self.revision = revision
        var finder = BaselineFinder(
            process: checkpoint.process, home: checkpoint.home, repository: repository,
            subpath: try await repository.packageSubpath(of: root), project: project, swiftOverride: policy.swift.value)
        finder.recorded = revision.branch
        if told.base != nil, try await finder.isOnDefaultBranch(subject.head) { self.revision?.attempt = .otherBase }
        let finding = try await finder.find(subject.head, named: told.base)
        var compared: Baseline? = finding.baseline
        let (comparison, notes) = try await finder.comparison(
            of: revision, completing: &compared, by: policy.policy, isNamed: told.base != nil, isOfAll: true)
        (baseline, self.comparison) = (compared, comparison)
        self.notes += finding.notes + notes
        repository.rest()
    }
}
