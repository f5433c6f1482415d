import Application
import ArgumentParser
import Gate

/// The root command: help, version, and the table of exit statuses.
struct Kanmon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kanmon",
        abstract: "The checkpoint between a commit and the main branch of a Swift package.",
        discussion: """
            Runs the tests of a package with coverage, reads everything the run left behind, stores it, judges it and \
            says why. Results go to standard output, progress and messages to standard error.

            EXIT STATUS
            \(exitStatusTable)
            """,
        version: Release.version,
        subcommands: [
            RunCommand.self, BuildCommand.self, MergeCommand.self, GateCommand.self, ExplainCommand.self,
            ReportCommand.self,
            IngestCommand.self, HistoryCommand.self, CompareCommand.self, ChangeCommand.self, WhoCommand.self,
            MutateCommand.self, CulpritCommand.self, StressCommand.self, SlowCommand.self, FlakyCommand.self,
            QuarantineCommand.self,
            ExcludeCommand.self, FloorCommand.self,
            LoginCommand.self, LogoutCommand.self, PushCommand.self, InitCommand.self, ConfigCommand.self,
            DoctorCommand.self, DatabaseCommand.self, CacheCommand.self, HookCommand.self, AuditCommand.self,
            ServeCommand.self, TokenCommand.self, WebhookCommand.self, ProjectCommand.self, ObjectsCommand.self,
            DemoCommand.self, VersionCommand.self, JudgeProfilesCommand.self, JudgeDirectoryCommand.self,
        ]
    )

    private static var exitStatusTable: String {
        let rows = ExitStatus.allCases.map { status in
            let number = String(status.rawValue)
            return String(repeating: " ", count: 7 - number.count) + number + "  " + status.meaning
        }
        return (rows + ["  128+n  signal n ended the run"]).joined(separator: "\n")
    }
}
