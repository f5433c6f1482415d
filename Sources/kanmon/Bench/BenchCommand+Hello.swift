import ArgumentParser
import Dashboard
import Logging

extension BenchCommand {
    /// `kanmon bench hello`.
    struct Hello: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hello", abstract: "Serve two words with the dashboard's HTTP server and nothing around it.")

        func run() async throws {
            var logger = Logger(label: "kanmon.hello", factory: StreamLogHandler.standardError(label:))
            logger.logLevel = .warning
            try await HelloServer(logger: logger).run { StandardStreams.tell("kanmon: serving on \($0)") }
        }
    }
}
