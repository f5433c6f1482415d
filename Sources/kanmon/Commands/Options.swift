import Application
import ArgumentParser
import Exports
import Foundation
import Repository
import RunModel

struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the store and the run directories; default: KANMON_HOME, else the user's state folder.",
            valueName: "dir"))
    var home: String?

    /// The folders to use: flag, then KANMON_HOME, then the user's state folder.
    func home(_ process: ProcessContext) -> Home {
        Home(
            home ?? process.environment["KANMON_HOME"].flatMap { $0.isEmpty ? nil : $0 },
            process: process)
    }
}

struct PackageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The package's folder.", valueName: "dir"))
    var packagePath = "."
}

/// The argument for a stored run.
struct RunSelection: ParsableArguments {
    /// The ways to name a run, in every command.
    static let names = "'latest', a run id, its beginning or end, or a git revision"

    @Argument(help: ArgumentHelp("The run: \(names).", valueName: "run"))
    var run = "latest"

    @Option(
        help: ArgumentHelp(
            "The project of 'latest'; default: that of the package here.", valueName: "name"))
    var project: String?

    /// The name of the run, in the package that was chosen.
    func name(_ package: PackageOptions) -> RunName {
        RunName(text: run, project: project, package: package.packagePath)
    }
}

struct ProjectOption: ParsableArguments {
    @Option(help: ArgumentHelp("The project; default: that of the package here.", valueName: "name"))
    var project: String?
}

/// The option for the branch to record.
struct BranchOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Record the run under this branch; default: the one that is checked out, else the one in the variables of \
            the CI server.
            """, valueName: "name"))
    var branch: BranchName?

    /// A revision with the branch to record: the named one, else the one checked out, else the one that the CI server
    /// builds.
    ///
    /// A commit that the named branch is known not to have gets no state of it by its name. A state of the default branch is compared with
    /// what passed of that branch.
    func recorded(
        _ revision: Revision, built: BranchName?, in repository: GitRepository?
    ) async throws -> Revision {
        var recorded = revision
        recorded.branch = branch?.text ?? revision.branch ?? built?.text
        guard let branch, recorded.attempt == nil, let commit = revision.commit.flatMap({ ObjectID($0) }),
            let repository, try await repository.isKnown(branch.text, without: commit)
        else { return recorded }
        recorded.attempt = .otherBranch
        StandardStreams.tell(
            "kanmon: warning: as far as this clone knows, \(branch.text) does not have the commit: "
                + "the run is no state of it")
        return recorded
    }
}

/// The option to ignore earlier runs of the same tree.
struct FreshOption: ParsableArguments {
    @Flag(help: "Run the tests even if the tree was tested before.")
    var fresh = false
}

/// The option that keeps a list to tests of one tag.
struct TagOption: ParsableArguments {
    @Option(help: "Only tests with this tag of Swift Testing, such as slow or .slow.")
    var tag: String?

    /// ` with the tag slow`, for a list without entries.
    var words: String { tag.map { " with the tag \(TerminalText.safe($0))" } ?? "" }
}

/// The option for JSON output.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print the result as JSON.")
    var json = false
}
