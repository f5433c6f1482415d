public import ArgumentParser
public import RunModel

/// How the package is built for one run, and not as its settings say.
struct BuildOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Build with these traits of the package, as 'swift build --traits' does; the run is an attempt, and says nothing of its \
            branch.
            """, valueName: "names"))
    var traits: String?

    @Option(
        help: ArgumentHelp(
            "Build with runtime checks, whose reports fail the run; it is an attempt, too.", valueName: "checks"))
    var sanitize: BuildChoice.Sanitizer?

    /// The names of the traits; `nil` where none are given.
    var traitList: [String]? { traits?.split(separator: ",").map(String.init) }

    func validate() throws {
        guard let traitList else { return }
        guard !traitList.isEmpty, traitList.allSatisfy({ !$0.hasPrefix("-") && !$0.contains { $0.isWhitespace } })
        else {
            throw ValidationError("--traits takes names with commas between them, such as Networking,defaults")
        }
    }
}

extension BuildChoice.Sanitizer: ExpressibleByArgument {}
