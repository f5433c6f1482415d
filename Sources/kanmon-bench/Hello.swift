import ArgumentParser
import Foundation
import Hummingbird
import Logging

/// `kanmon-bench hello`: the least that Hummingbird can do, which the dashboard is compared with.
struct Hello: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hello", abstract: "Serve two words with the dashboard's HTTP server and nothing around it.")

    func run() async throws {
        var logger = Logger(label: "kanmon.hello", factory: StreamLogHandler.standardError(label:))
        logger.logLevel = .warning
        let router = Router()
        router.get("/") { _, _ in "Hello, world" }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                FileHandle.standardError.write(Data("kanmon-bench: serving on http://127.0.0.1:\(port)/\n".utf8))
            },
            logger: logger)
        try await application.runService()
    }
}
