import Application
import ArgumentParser
import Dashboard
import Demo
import Foundation
import Logging
import Web

/// `kanmon demo`: the dashboard with a made-up history.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Fill a store with a made-up history and serve it, to try the dashboard.",
        discussion: """
            Two packages, 144 runs: a regression, flaky tests, a quarantine, a broken build, a truncated report. It \
            is always the same, and its date is 2026-03-02. Without --home it is in a temporary folder that is \
            removed at the end.
            """
    )

    @Option(
        help: ArgumentHelp("The folder to fill and keep; it must not hold a store yet.", valueName: "dir"))
    var home: String?

    @Option(help: "The port to listen on; 0 is any free port.")
    var port = 8720

    @Option(
        help: ArgumentHelp("Read templates and styles from this folder instead of the built-in ones.", valueName: "dir")
    )
    var webRoot: String?

    @Flag(help: "Only fill the folder of --home, and serve nothing.")
    var noServe = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is between 0 and 65535") }
        guard !noServe || home != nil else { throw ValidationError("--no-serve needs --home") }
    }

    func run() async throws {
        let process = ProcessContext.current
        let temporary = FileManager.default.temporaryDirectory.appending(path: "kanmon-demo-\(UUID())").path
        defer { if home == nil { try? FileManager.default.removeItem(atPath: temporary) } }
        let stored = StoredRuns(Home(home ?? temporary, process: process), process: process)
        try DemoStore(home: stored.home).fill { number, total in
            if number == total { StandardStreams.tell("kanmon: made up \(total) runs in \(stored.home.path)") }
        }
        guard !noServe else { return }
        let lock = try ServerLock(stored.home)
        defer { withExtendedLifetime(lock) {} }
        let live = try DemoLive(home: stored.home)
        defer { live.end() }
        let configuration = DashboardConfiguration(
            address: .tcp(host: "127.0.0.1", port: port),
            webRoot: webRoot.map { .folder(process.absolute($0)) } ?? .embedded)
        let store = try stored.open()
        let audit = DemoAudit(store: store)
        let server = try DashboardServer(
            store: store, progressFiles: live.progressFiles, audit: { try audit.audit(project: $0, branch: $1) },
            configuration: configuration, now: { DemoHistory.now },
            logger: .dashboard(label: "kanmon.demo"))
        try await server.run { StandardStreams.tell("kanmon: serving on \($0)") }
    }
}
