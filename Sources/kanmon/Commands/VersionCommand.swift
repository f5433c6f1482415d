import Application
import ArgumentParser
import Exports

/// `kanmon version`: what this program is made of.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Show the version, and the commit, compiler and libraries of this program.")

    @OptionGroup var output: JSONOption

    func run() throws {
        let identity = BuildIdentity()
        StandardStreams.print(output.json ? try JSONText.render(identity) : identity.text())
    }
}
