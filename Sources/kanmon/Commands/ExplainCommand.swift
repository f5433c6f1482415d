import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel
import Storage
import Wording

/// `kanmon explain`: the reasons for a verdict.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show the reasons for a verdict: every rule, its place in the settings, and the numbers.",
        discussion: "For a module it also lists functions that were never called and unexecuted parts of lines."
    )

    @OptionGroup var selection: RunSelection

    @Argument(help: ArgumentHelp("One module only.", valueName: "module"))
    var module: String?

    @Flag(
        name: .customLong("public-api"),
        help:
            "Also list the public declarations of the module that no test executed; needs the build products of the run."
    )
    var publicAPI = false

    @Option(
        help: ArgumentHelp(
            "Only say who owns this file or test, and by which line of CODEOWNERS; may be repeated.",
            valueName: "place"))
    var owner: [String] = []

    @Flag(help: "Only list, by owner, what fails, is flaky, slow, uncovered or about to expire.")
    var owners = false

    @Option(
        help: ArgumentHelp(
            "Only list what fails, is flaky, slow, uncovered or about to expire, for this owner.", valueName: "owner"))
    var ownedBy: String?

    /// Whether it is about everything that needs a look, of all owners or of one.
    private var listsOwners: Bool { owners || ownedBy != nil }

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
        if listsOwners || !owner.isEmpty, module != nil {
            throw ValidationError("--owner, --owners and --owned-by explain no module: leave it out")
        }
        if owners, !owner.isEmpty { throw ValidationError("--owners is about everybody: leave out --owner") }
        if ownedBy != nil, owners || !owner.isEmpty {
            throw ValidationError("--owned-by is about one owner: leave out --owner and --owners")
        }
        if publicAPI, module == nil { throw ValidationError("--public-api needs a module: name it after the run") }
    }

    func run() async throws {
        let process = ProcessContext.current
        let stored = StoredRuns(store.home(process), process: process)
        let found = try await stored.find(selection.name(package))
        if listsOwners || !owner.isEmpty { return try tellOwners(found, stored, process) }
        let names = found.verdict.modules.map(\.module)
        if let module, !names.contains(where: { Name($0) == Name(module) }) {
            throw Problem(
                .usage, "the run has no module '\(module)'",
                hint: Spelling.nearest(to: module, among: names).map { "kanmon explain \(selection.run) \($0)" })
        }
        let baseline = try found.directory.flatMap { try KeptJSON.baseline.read(from: $0) }
        let sources = found.directory.map(KeptLines.init)
        let status = found.verdict.modules.first { Name($0.module) == Name(module ?? "") }
        let surface: PublicSurface? =
            if publicAPI, let status { await PublicSurface.of(status, in: found, process) } else { nil }
        let explanation = Explanation(
            module == nil ? found.run : found.detailed.run, found.verdict, baseline, module: module, publicAPI: surface
        ) { path, line in sources?.line(line, of: path) }
        StandardStreams.print(output.json ? try JSONText.render(explanation) : explanation.text)
    }
}

extension ExplainCommand {
    /// How many flaky and slow tests are looked at.
    private static let mostTests = 50
    /// How many runs the median of a slow test is taken from.
    private static let mostRuns = 20
    /// For how many days tests are looked at for flakiness.
    private static let days = 30

    /// Prints the owners of places, or what of every owner needs a look.
    private func tellOwners(_ found: JudgedRun, _ stored: StoredRuns, _ process: ProcessContext) throws {
        let people = RunOwners(found.run, found.verdict)
        guard listsOwners else {
            let answers = OwnerAnswer.all(of: owner, in: found.run, found.verdict)
            // The quarantine and git name somebody without a CODEOWNERS, too.
            if answers.allSatisfy(\.owners.isEmpty) { try Self.checkList(people) }
            return StandardStreams.print(
                output.json ? try JSONText.render(answers) : answers.map(\.text).joined(separator: "\n"))
        }
        try Self.checkList(people)
        let store = try stored.open()
        let since = process.now.addingTimeInterval(-Double(Self.days) * 86_400)
        let digests = OwnerDigest.all(
            of: found.run.tests, targets: found.run.modules, found.run.coverage, found.verdict,
            flaky: try store.flakiest(
                project: found.run.project, since: since, limit: Self.mostTests, kind: .flaky),
            slow: try store.slowest(project: found.run.project, limit: Self.mostTests, runs: Self.mostRuns),
            today: CalendarDay(process.now), only: ownedBy)
        let source = people.source.map { "Owners by \(TerminalText.safe($0))" }
        // Of whom nothing is known, nothing needs a look.
        let shown = digests.list.isEmpty ? [ownedBy.map { OwnerDigest(owner: $0) }].compactMap { $0 } : digests.list
        StandardStreams.print(
            output.json
                ? try JSONText.render(digests.list.map { OwnerForm($0) })
                : ([source].compactMap { $0 } + shown.map { OwnerReport.text($0) }).joined(separator: "\n"))
        if let note = digests.note { StandardStreams.tell("kanmon: \(note)") }
    }

    /// - Throws: `Problem` where no `CODEOWNERS` says who owns what.
    private static func checkList(_ people: RunOwners) throws {
        guard let list = people.list else {
            throw Problem(
                .usage, "the run was judged without a CODEOWNERS",
                hint: "commit one, and run again once the base has it")
        }
        if let fault = list.fault { throw Problem(.badInput, "\(list.file.path) is not read: \(fault)") }
    }
}
