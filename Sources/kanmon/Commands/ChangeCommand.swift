import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import RunModel
import Storage
import Wording

/// `kanmon change`: what a branch does to the one that it was made for.
struct ChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Say what a branch changes: its latest full run against the run of its base.",
        discussion: """
            It tells what the gate says, which changed lines are covered, tests that regressed, came, went, are skipped now or \
            take longer, and what becomes of every module. The base is the run that the gate compared the branch with, or else \
            the latest full run of the default branch.
            """
    )

    @Argument(help: ArgumentHelp("The branch; by default the one that is checked out.", valueName: "branch"))
    var branch: String?

    @OptionGroup var project: ProjectOption
    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let reader = try stored.open()
        let project = try await stored.requiredProject(project.project, package: package.packagePath)
        let branch = if let branch { branch } else { try await current(process) }
        guard let latest = try reader.wholeRuns(project: project, branch: branch, limit: 1).first else {
            throw Problem(
                .usage, "no full run of the branch '\(branch)' of \(project) is stored",
                hint: "kanmon run --commit HEAD")
        }
        guard let base = try reader.baseRun(of: branch, latest: latest) else {
            throw Problem(
                .usage,
                "there is no run to compare '\(branch)' with: it is the default branch, or that one has no full run",
                hint: "kanmon compare RUN RUN")
        }
        let verdict = try reader.verdict(of: latest)
        var comparison = try reader.titledComparison(base, latest.id)
        // Of a known tree the branch has the commit, and not that which the run tested.
        comparison.after = latest
        let known = verdict?.change
        let lines: ChangeStatus? =
            if let known, known.baseRun == base { known } else {
                try await RunDifference(process: process, packagePath: package.packagePath)
                    .status(of: latest.id, since: base, in: reader)
            }
        let change = BranchChange(
            comparison: comparison, lines: lines, violations: verdict?.violations ?? [],
            failures: verdict.map { FailureExplanation($0) }, origin: try reader.facts(of: latest.id)?.origin)
        StandardStreams.print(
            output.json
                ? try JSONText.render(ChangeForm(change))
                : ChangeReport(branch: branch, change: change, now: process.now).text)
    }

    /// The branch that is checked out.
    private func current(_ process: ProcessContext) async throws -> String {
        let root = process.real(package.packagePath)
        let environment = GitEnvironment(process.environment)
        guard let repository = try await GitRepository.discover(at: root, environment: environment),
            let branch = try await repository.currentBranch()
        else { throw Problem(.usage, "no branch is checked out in \(root)", hint: "name it: kanmon change BRANCH") }
        return branch
    }
}
