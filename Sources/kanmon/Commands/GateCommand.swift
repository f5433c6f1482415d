import ArgumentParser
import Exports
import Foundation
import Gate
import SettingsFile

/// `kanmon gate`: judge a stored run again; with another policy it is a what-if that stores nothing.
struct GateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Judge a stored run again, by the policy it was judged by or by another.",
        discussion: "Nothing is stored: a verdict stays what it was on the day it was given."
    )

    @OptionGroup var selection: RunSelection
    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @Option(help: ArgumentHelp("A .kanmon.yml to judge by instead.", valueName: "file"))
    var policy: String?

    func run() async throws {
        let surroundings = Surroundings.current
        let stored = StoredRuns(store.home(surroundings), surroundings: surroundings)
        let found = try await stored.find(selection, package: package)
        let draft = try policy.map { try SettingsLoader(surroundings: surroundings).load(file: $0) }
        let policy = draft?.policy ?? found.verdict.policy
        let past = try policy.past(of: found.run) { try stored.open() }
        let verdict: Verdict
        do {
            verdict = try Verdict(judging: found.run, by: policy, past: past)
        } catch {
            throw draft?.located(error) ?? error
        }
        if output.json {
            StandardStreams.print(try JSONReport.render(found.run, verdict))
        } else {
            Presentation(surroundings: surroundings).show(
                found.run, verdict: verdict, sources: found.directory.map(KeptSources.init))
        }
        if verdict.exitStatus != .passed { throw verdict.exitStatus }
    }
}
