import Application
import ArgumentParser
import Foundation
import Gate

/// Parses the arguments, runs the command, and maps errors to an exit status. Only this file ends the program.
@main
enum Main {
    static func main() async {
        // A closed pipe must not kill the run: writing fails with EPIPE instead.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try Kanmon.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            end(with: .passed)
        } catch let status as ExitStatus {
            end(with: status)
        } catch let ending as SignalEnding {
            exit(128 + ending.signal)
        } catch {
            guard let problem = Problem(explaining: error) ?? Problem(unforeseen: error) else {
                Kanmon.exit(withError: error)
            }
            problem.tell()
            end(with: problem.status)
        }
    }

    /// Ends the program with a status, or with a more severe one if its output was cut short, so that nobody takes a
    /// part of it for all.
    private static func end(with status: ExitStatus) -> Never {
        guard let failure = StandardStreams.outputFailure else { exit(status.rawValue) }
        failure.tell()
        exit(ExitStatus.gravest(of: [status, failure.status]).rawValue)
    }

}

extension Problem {
    /// An unexpected error; `nil` for those of the argument parser, such as a wrong option or a request for help.
    fileprivate init?(unforeseen error: any Error) {
        // The parser would exit with 1, which means failed tests.
        guard Kanmon.exitCode(for: error) == .failure else { return nil }
        self.init(.internalError, "unforeseen: \(error)", hint: "report this; the run directory is not lost")
    }
}
