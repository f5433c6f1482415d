import Application
import ArgumentParser
import Delivery
import Exports
import Foundation
import Gate

/// `kanmon login`: keep the server that this user's runs are delivered to.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Deliver the runs of this user to a server from now on.",
        discussion: """
            Asks for the token, or takes it from standard input or KANMON_TOKEN, checks it and keeps it with the \
            address in the user's settings (XDG_CONFIG_HOME), readable by the user only. A server's 'kanmon token \
            create' makes tokens; the scope 'submit' is enough. The server's key is kept, too: from then on its \
            verdicts on trees that a trusted run has tested are taken instead of running the tests, if they are signed \
            with it.
            """)

    @Argument(help: ArgumentHelp("The address of the server, such as https://kanmon.example.com.", valueName: "url"))
    var server: String

    @Flag(help: "Read the token from standard input.")
    var tokenStdin = false

    @Flag(help: "Allow a connection that is not encrypted: everybody on the way can read the token and the runs.")
    var allowHttp = false

    @Flag(help: "Deliver runs of working copies, too.")
    var deliverWorkingCopies = false

    @Flag(help: "Take no verdicts from the server: test every tree here, also those that it knows.")
    var deliverOnly = false

    @OptionGroup var store: StoreOptions

    /// How long to wait for the server.
    private static let timeout = Duration.seconds(15)

    func run() async throws {
        let process = ProcessContext.current
        let address: ServerAddress
        do throws(ServerAddressError) {
            address = try ServerAddress(server)
        } catch {
            throw Problem(
                .usage, "the server's address '\(server)' cannot be used: \(error)", hint: ServerAddress.hint)
        }
        try address.refusePlainHTTP(allowed: allowHttp)
        let token = try token(for: address, process)
        let identity = try await Self.identity(of: token, at: address, process)
        guard identity.maySubmit else {
            throw Problem(
                .usage, "the token '\(identity.name)' may not deliver runs: its scope is \(identity.scope)",
                hint: "use one of the scope submit, or attest for CI")
        }
        let file = ServerLoginFile(process)
        try file.write(
            ServerLogin(
                address: address.description, token: token, allowsPlainHTTP: allowHttp,
                deliversWorkingCopies: deliverWorkingCopies, key: identity.key,
                ignoresServerVerdicts: deliverOnly ? true : nil))
        let words = TerminalText.safe(identity.words)
        StandardStreams.print("delivering to \(address) with \(words); kept in \(file.path)")
        let waiting = Outbox(folder: store.home(process).outbox).entries.count
        if waiting > 0 { StandardStreams.tell("kanmon: \(RunDelivery.wait(waiting)); kanmon push sends them") }
    }

    private func token(for address: ServerAddress, _ process: ProcessContext) throws -> String {
        let given: String?
        if tokenStdin {
            given = readLine(strippingNewline: true)
        } else if let variable = process.environment["KANMON_TOKEN"], !variable.isEmpty {
            given = variable
        } else {
            given = SecretPrompt.ask("Token for \(address): ")
        }
        guard let token = given?.trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty else {
            throw Problem(
                .usage, "there is no token", hint: "type it on the terminal, use --token-stdin, or set KANMON_TOKEN")
        }
        return token
    }

    /// Asks a server whose token this is.
    static func identity(
        of token: String, at address: ServerAddress, _ process: ProcessContext, waiting outbox: Outbox? = nil,
        within time: Duration = timeout
    ) async throws -> TokenIdentity {
        do throws(DeliveryError) {
            return try await DeliveryClient.with(
                address, token: token, proxies: ProxySettings(process.environment),
                machine: MachineReport(host: process.hostName, version: Release.version, outbox: outbox)
            ) { client throws(DeliveryError) in try await client.whoAmI(until: .now + time) }
        } catch {
            throw Problem(error, at: address)
        }
    }
}

extension TokenIdentity {
    /// `token 'laptop' (submit, projects: *, expires 2027-01-31)`.
    var words: String {
        "token '\(name)' (\(scope), projects: \(projects.joined(separator: ", ")), "
            + "\(expires.map { "expires \($0.prefix(10))" } ?? "never expires"))"
    }
}

/// `kanmon logout`: forget the server and its token.
struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget the server and the token of 'kanmon login'.",
        discussion: "The token stays valid: 'kanmon token revoke' on the server ends it."
    )

    func run() throws {
        let file = ServerLoginFile(ProcessContext.current)
        StandardStreams.print(try file.remove() ? "removed \(file.path)" : "there is no login")
    }
}
