import ArgumentParser
import Gate
import RunModel

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

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
        if publicAPI, module == nil { throw ValidationError("--public-api needs a module: name it after the run") }
    }

    func run() async throws {
        let surroundings = Surroundings.current
        let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
        let found = try await stored.find(selection, package: package)
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
            if publicAPI, let status { await PublicSurface.of(status, in: found, surroundings) } else { nil }
        let explanation = Explanation(
            module == nil ? found.run : found.detailed.run, found.verdict, baseline, module: module, publicAPI: surface
        ) { path, line in sources?.line(line, of: path) }
        StandardStreams.print(output.json ? try JSONText.render(explanation) : explanation.text)
    }
}
