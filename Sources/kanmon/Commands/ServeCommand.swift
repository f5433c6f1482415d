import ArgumentParser
import Dashboard
import Evidence
import Logging
import Web

/// `kanmon serve`: the dashboard.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the dashboard: runs, verdicts, failures, sources with their missed lines.",
        discussion: """
            It only reads, once what had to wait is stored, and by default only this machine reaches it. INT or TERM ends \
            it in order.
            """
    )

    @OptionGroup var store: StoreOptions

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 is any that is free.")
    var port = 8720

    @Option(help: ArgumentHelp("Listen on a socket in the file system instead.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "A host name that requests may carry besides those of this machine, such as a proxy's.", valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where a proxy serves it, such as https://ci.example/kanmon/; links are written for that address.",
            valueName: "url"))
    var baseURL: String?

    @Option(help: ArgumentHelp("Read templates and styles from this folder, for work on them.", valueName: "dir"))
    var webRoot: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is between 0 and 65535") }
        guard baseURL.map({ BaseURL($0) != nil }) ?? true else {
            throw ValidationError("--base-url takes an address such as https://ci.example/kanmon/")
        }
    }

    func run() async throws {
        let surroundings = Surroundings.current
        let address: DashboardConfiguration.Address =
            socket.map { .unixSocket(path: surroundings.absolute($0)) } ?? .tcp(host: host, port: port)
        let configuration = DashboardConfiguration(
            address: address, hostNames: allowHost,
            webRoot: webRoot.map { .folder(surroundings.absolute($0)) } ?? .embedded,
            baseURL: baseURL.flatMap { BaseURL($0) }
        )
        let home = self.store.home(surroundings)
        Checkpoint(surroundings: surroundings, home: home).takeIn()
        let store = try StoredRuns(home, surroundings: surroundings).open()
        var logger = Logger(label: "kanmon.serve", factory: StreamLogHandler.standardError(label:))
        logger.logLevel = .warning
        var data = DashboardData(store, signs: LiveSigns(path: home.signs) { surroundings.now })
        let audits = BranchAudits(store, surroundings: surroundings)
        data.audit = { try await audits.audit(project: $0, branch: $1) }
        let server = try DashboardServer(
            data: data,
            configuration: configuration, now: { surroundings.now }, logger: logger)
        try await server.run { StandardStreams.tell("kanmon: serving on \($0)") }
    }
}
