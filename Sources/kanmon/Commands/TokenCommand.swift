import Access
import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel

/// `kanmon token`: who may deliver runs to the server, and who may read them.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create, list, change and revoke the tokens of the server.",
        discussion: """
            With the first token, 'kanmon serve' asks every reader for one, and accepts deliveries. A running server \
            knows of every change at once.
            """,
        subcommands: [Create.self, List.self, Rename.self, Rotate.self, Limit.self, Revoke.self]
    )
}

extension TokenCommand {
    /// `kanmon token create`.
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a token, and print its secret, which is shown only once.",
            discussion: """
                Scopes: 'submit' delivers runs of a person's machine, which never count as the state of a branch; \
                'attest' delivers runs that do, such as those of CI; 'read' reads pages and data; 'admin' does all.
                """)

        @OptionGroup var store: StoreOptions
        @Argument(help: "The name: letters, digits, '.', '_', '@' and '-'; never used twice.") var name: String
        @Option(
            help: ArgumentHelp("What it is for: submit, attest, read or admin.", valueName: "scope"),
            transform: TokenCommand.scope)
        var scope: AccessScope
        @Option(
            help: ArgumentHelp(
                "The projects it is for; '*' stands for any text; may be repeated.", valueName: "pattern"))
        var project: [String]
        @Option(
            help: ArgumentHelp("When it ends: a number of days such as 90d, or never.", valueName: "time"))
        var expires = "90d"

        func validate() throws {
            try TokenCommand.check(name: name)
            try TokenCommand.check(projects: project, expires: expires)
        }

        func run() throws {
            let process = ProcessContext.current
            let home = store.home(process)
            home.prepare()
            var generator = SystemRandomNumberGenerator()
            let secret = TokenSecret(using: &generator)
            // Whole seconds are what the file keeps.
            let now = Date(timeIntervalSince1970: process.now.timeIntervalSince1970.rounded(.down))
            let token = AccessToken(
                name: name, scope: scope, projects: project.compactMap { ProjectPattern($0) }, created: now,
                expires: (TokenCommand.lifetime(expires) ?? nil).map { now.addingTimeInterval($0) },
                sha256: secret.sha256)
            try TokenFile(path: home.tokens).add(token)
            StandardStreams.print(secret.text)
            StandardStreams.tell("kanmon: this is the only time that the secret of '\(name)' is shown")
        }
    }

    /// `kanmon token list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the tokens, also those that expired or were revoked.")

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            let process = ProcessContext.current
            let rows = try TokenFile(path: store.home(process).tokens).tokens()
                .map { Row($0, now: process.now) }
            if output.json {
                StandardStreams.print(try JSONText.render(rows))
            } else if rows.isEmpty {
                StandardStreams.print("there are no tokens")
            } else {
                StandardStreams.print(
                    TextTable.render(
                        rows.map {
                            [$0.name, $0.scope, $0.state, $0.expires ?? "never", $0.projects.joined(separator: " ")]
                        },
                        header: ["name", "scope", "state", "expires", "projects"]))
            }
        }

        private struct Row: Encodable {
            let name: String
            let scope: String
            let state: String
            let created: String
            let expires: String?
            let projects: [String]

            init(_ token: AccessToken, now: Date) {
                name = token.name
                scope = token.scope.rawValue
                state =
                    token.distrusted != nil
                    ? "distrusted" : token.revoked != nil ? "revoked" : token.isValid(at: now) ? "valid" : "expired"
                created = Timestamp.utc(token.created)
                expires = token.expires.map(Timestamp.utc)
                projects = token.projects.map(\.description)
            }
        }
    }

    /// `kanmon token revoke`.
    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke a token for good; sessions that were opened with it end, and its runs stay.",
            discussion: """
                With --distrust the runs stay, but none of them counts for its branch or answers for a tree any more; \
                they are listed. Rebuilding the store does not change that.
                """)

        @OptionGroup var store: StoreOptions
        @Argument(help: "The name.") var name: String
        @Flag(help: "Trust nothing that was delivered with it, and list these runs.") var distrust = false

        func run() throws {
            let process = ProcessContext.current
            if distrust { return try withdraw(process) }
            try TokenFile(path: store.home(process).tokens).revoke(name, at: process.now)
            StandardStreams.print("revoked '\(TerminalText.safe(name))'")
        }

        private func withdraw(_ process: ProcessContext) throws {
            let runs = try Distrust(home: store.home(process)).withdraw(name, at: process.now)
            StandardStreams.print(
                "revoked '\(TerminalText.safe(name))' and withdrew the trust in \(Figures.counted(runs.count, "run"))")
            if !runs.isEmpty { StandardStreams.print(RunList(runs: runs).text(now: process.now)) }
        }
    }
}
