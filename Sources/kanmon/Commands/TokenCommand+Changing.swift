import Access
import Application
import ArgumentParser
import Exports
import Foundation
import Gate
import RunModel

extension TokenCommand {
    /// What a token is for, as it is written.
    static func scope(_ text: String) throws -> AccessScope {
        guard let scope = AccessScope(rawValue: text) else {
            throw ValidationError("--scope is submit, attest, read or admin")
        }
        return scope
    }

    static func check(name: String) throws {
        guard AccessToken.isName(name) else {
            throw ValidationError("the name has 1 to 64 letters, digits, '.', '_', '@' and '-'")
        }
    }

    static func check(projects: [String], expires: String?) throws {
        guard projects.allSatisfy({ ProjectPattern($0) != nil }) else {
            throw ValidationError("--project is 1 to 1024 bytes without control characters")
        }
        guard expires.map({ lifetime($0) != nil }) ?? true else {
            throw ValidationError("--expires is a number of days from 1d to 3650d, or never")
        }
    }

    /// The seconds that a token is valid, `nil` inside if it never ends; `nil` for anything else than `90d` or `never`.
    static func lifetime(_ text: String) -> Double?? {
        if text == "never" { return .some(nil) }
        guard text.hasSuffix("d"), let days = Int(text.dropLast()), (1...3650).contains(days) else { return nil }
        return .some(Double(days) * 86_400)
    }

    /// `kanmon token rename`.
    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give a token another name; its secret stays, and so does the name in the runs that it delivered."
        )

        @OptionGroup var store: StoreOptions
        @Argument(help: "The name.") var name: String
        @Argument(help: "The new name, which no token has or had.") var newName: String

        func validate() throws { try TokenCommand.check(name: newName) }

        func run() throws {
            let process = ProcessContext.current
            try TokenFile(path: store.home(process).tokens).rename(name, to: newName)
            StandardStreams.print("'\(TerminalText.safe(name))' is called '\(newName)' now")
        }
    }

    /// `kanmon token rotate`.
    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Give a token another secret, and print it once; the old one ends at once, with its sessions.")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The name.") var name: String

        func run() throws {
            let process = ProcessContext.current
            var generator = SystemRandomNumberGenerator()
            let secret = TokenSecret(using: &generator)
            try TokenFile(path: store.home(process).tokens).rotate(name, to: secret.sha256)
            StandardStreams.print(secret.text)
            StandardStreams.tell("kanmon: this is the only time that the new secret of '\(name)' is shown")
        }
    }

    /// `kanmon token limit`.
    struct Limit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "limit",
            abstract: "Change what a token may do from now on: its projects, its scope, its end.",
            discussion: "What is not named stays as it is. The runs that it delivered stay as they are.")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The name.") var name: String
        @Option(
            help: ArgumentHelp("What it is for: submit, attest, read or admin.", valueName: "scope"),
            transform: TokenCommand.scope)
        var scope: AccessScope?
        @Option(
            help: ArgumentHelp(
                "The projects it is for instead; '*' stands for any text; may be repeated.", valueName: "pattern"))
        var project: [String] = []
        @Option(
            help: ArgumentHelp("When it ends, from now on: a number of days such as 90d, or never.", valueName: "time"))
        var expires: String?

        func validate() throws {
            try TokenCommand.check(projects: project, expires: expires)
            guard scope != nil || !project.isEmpty || expires != nil else {
                throw ValidationError("name what changes: --scope, --project or --expires")
            }
        }

        func run() throws {
            let process = ProcessContext.current
            let now = Date(timeIntervalSince1970: process.now.timeIntervalSince1970.rounded(.down))
            let end: Date?? = expires.flatMap(TokenCommand.lifetime).map { lifetime in
                lifetime.map { now.addingTimeInterval($0) }
            }
            let file = TokenFile(path: store.home(process).tokens)
            try file.limit(
                name, scope: scope, projects: project.isEmpty ? nil : project.compactMap { ProjectPattern($0) },
                expires: end)
            guard let token = try file.tokens().first(where: { $0.name == name }) else { return }
            let projects = token.projects.map { TerminalText.safe($0.description) }.joined(separator: " ")
            StandardStreams.print(
                "'\(token.name)': \(token.scope.rawValue), \(projects), expires "
                    + (token.expires.map(Timestamp.utc) ?? "never"))
        }
    }
}
