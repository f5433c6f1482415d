import Access
import Application
import ArgumentParser
import Delivery
import Exports
import Foundation
import Gate
import RunModel

/// `kanmon webhook`: whom the server tells what happens on default branches.
struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Add, list, test and remove the webhooks of the server.",
        discussion: """
            'kanmon serve' tells each receiver of the events on default branches that 'kanmon webhook add --help' \
            lists. Messages are signed as Standard Webhooks describes it. A running server knows of every change at \
            once.
            """,
        subcommands: [Add.self, List.self, Remove.self, Test.self, Retry.self]
    )
}

extension WebhookCommand {
    /// `kanmon webhook add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a receiver, and print the secret of its signatures, which is shown only once.",
            discussion: "Events: \(WebhookCommand.meanings).")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The address: https, or http on this machine.") var url: String
        @Option(
            help: ArgumentHelp(
                "The projects it is told of; '*' stands for any text; may be repeated; all by default.",
                valueName: "pattern"))
        var project: [String] = []
        @Option(
            help: ArgumentHelp(
                "What it is told: \(WebhookCommand.events); may be repeated; all by default.", valueName: "event"),
            transform: WebhookCommand.event)
        var event: [Webhook.Event] = []

        func validate() throws {
            guard project.allSatisfy({ ProjectPattern($0) != nil }) else {
                throw ValidationError("--project is 1 to 1024 bytes without control characters")
            }
        }

        func run() throws {
            let process = ProcessContext.current
            let home = store.home(process)
            let address = try WebhookCommand.address(url)
            home.prepare()
            let projects = project.isEmpty ? ["*"] : project
            let hook = Webhook(
                id: String(process.makeNonce().prefix(12)), url: address.text,
                projects: projects.compactMap { ProjectPattern($0) },
                events: Webhook.Event.allCases.filter { event.isEmpty || event.contains($0) }, secret: WebhookSecret(),
                created: Date(timeIntervalSince1970: process.now.timeIntervalSince1970.rounded(.down)))
            try WebhookFolder(path: home.webhooks).add(hook)
            StandardStreams.print(hook.secret.text)
            StandardStreams.tell(
                "kanmon: added webhook \(hook.id); this is the only time that its secret is shown\n"
                    + "Try: kanmon webhook test \(hook.id)")
        }
    }

    /// `kanmon webhook list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the webhooks, and the messages that did not arrive.")

        @OptionGroup var store: StoreOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            let folder = WebhookFolder(path: store.home(.current).webhooks)
            let rows = try folder.hooks().map { try Row($0, folder) }
            if output.json { return StandardStreams.print(try JSONText.render(rows)) }
            guard !rows.isEmpty else { return StandardStreams.print("there are no webhooks") }
            StandardStreams.print(
                TextTable.render(
                    rows.map {
                        [
                            $0.id, $0.state, "\($0.waiting)", "\($0.deadLetters.count)",
                            $0.events.joined(separator: " "), $0.projects.joined(separator: " "), $0.url,
                        ]
                    },
                    header: ["id", "state", "waiting", "dead", "events", "projects", "address"]))
            let letters = rows.flatMap { row in
                row.deadLetters.map { [row.id, $0.type, $0.created, "\($0.attempts)", $0.failure, $0.id] }
            }
            guard !letters.isEmpty else { return }
            StandardStreams.print(
                "\nDead letters:\n"
                    + TextTable.render(letters, header: ["webhook", "type", "made", "attempts", "failure", "message"]))
        }

        private struct Letter: Encodable {
            let id: String
            let type: String
            let created: String
            let attempts: Int
            let failure: String
        }

        private struct Row: Encodable {
            let id: String
            let url: String
            let projects: [String]
            let events: [String]
            let state: String
            let waiting: Int
            let deadLetters: [Letter]

            init(_ hook: Webhook, _ folder: WebhookFolder) throws {
                id = hook.id
                url = hook.url
                projects = hook.projects.map(\.description)
                events = hook.events.map(\.rawValue)
                state = hook.disabled == nil ? "active" : "disabled"
                waiting = try folder.messages(of: hook, on: .waiting).count
                deadLetters = try folder.messages(of: hook, on: .dead).map {
                    Letter(
                        id: $0.id, type: $0.type, created: Timestamp.utc($0.created), attempts: $0.attempts,
                        failure: $0.lastFailure ?? "the receiver wanted no more messages")
                }
            }
        }
    }

    /// `kanmon webhook remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a webhook with its secret and all its messages.")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The id, as 'list' shows it.") var id: String

        func run() throws {
            try WebhookFolder(path: store.home(.current).webhooks).remove(id)
            StandardStreams.print("removed webhook '\(TerminalText.safe(id))'")
        }
    }

    /// `kanmon webhook test`.
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Send a ping now, and print what the receiver answers; exits with 74 if it does not accept it.")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The id, as 'list' shows it.") var id: String

        private struct Ping: Encodable {}

        func run() async throws {
            let process = ProcessContext.current
            let hook = try WebhookFolder(path: store.home(process).webhooks).hook(id)
            let address = try WebhookCommand.address(hook.url)
            let ping = try WebhookNews.message(
                "ping", Ping(), about: [process.makeNonce()], at: process.now)
            let answer = await address.send(
                ping, of: hook, proxies: ProxySettings(process.environment), at: process.now)
            let words = answer.body.isEmpty ? "" : ": " + String(answer.body.prefix(1000))
            if let failure = answer.failure {
                throw Problem(.ioError, "\(hook.host) does not take the ping: \(failure)\(words)")
            }
            StandardStreams.print(TerminalText.safe("\(hook.host) answered \(answer.status ?? 0)\(words)"))
        }
    }

    /// `kanmon webhook retry`.
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Let the server send the dead letters of a webhook again; one that was disabled is active again.")

        @OptionGroup var store: StoreOptions
        @Argument(help: "The id, as 'list' shows it.") var id: String

        func run() throws {
            let process = ProcessContext.current
            let folder = WebhookFolder(path: store.home(process).webhooks)
            var hook = try folder.hook(id)
            if hook.disabled != nil {
                hook.disabled = nil
                try folder.save(hook)
            }
            let count = try folder.revive(hook, at: process.now)
            StandardStreams.print("\(Figures.counted(count, "dead letter")) will be sent again")
        }
    }

    /// Every event with its meaning: `'broke' (tests fail that did not), …`.
    private static var meanings: String {
        Webhook.Event.allCases.map { "'\($0.rawValue)' (\($0.meaning))" }.joined(separator: ", ")
    }

    /// The name of every event: `broke, … or expiring`.
    private static var events: String {
        let names = Webhook.Event.allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    private static func event(_ text: String) throws -> Webhook.Event {
        guard let event = Webhook.Event(rawValue: text) else {
            throw ValidationError("--event is \(events)")
        }
        return event
    }

    /// An address, or why it is none.
    private static func address(_ text: String) throws(Problem) -> WebhookAddress {
        do throws(ServerAddressError) {
            return try WebhookAddress(text)
        } catch {
            throw Problem(
                .usage, "the address of the webhook cannot be used: \(error)",
                hint: "https://HOST/PATH, or http://127.0.0.1:PORT/PATH for a program on this machine")
        }
    }
}
