import Foundation
package import Gate
import RunModel
import Subprocess
import Synchronization

/// What judging a run directory came to, as the process that did it says.
package enum JudgingAnswer: Sendable, Hashable, Codable {
    /// It was judged, and stored where that was asked for.
    case judged(Decision)
    /// It is beyond a limit, or cost more than there is for one run.
    case tooLarge(String)
    /// It is no run that can be judged.
    case impossible(String)
    /// The store did not take it now.
    case notStored

    /// With the beginning of a long reason: it may quote what the run says, however long that is.
    package var short: JudgingAnswer {
        func cut(_ reason: String) -> String {
            let scalars = reason.unicodeScalars
            let start = scalars.prefix(Self.longestReason)
            return start.endIndex == scalars.endIndex ? reason : String(String.UnicodeScalarView(start)) + " …"
        }
        return switch self {
        case .judged, .notStored: self
        case .tooLarge(let reason): .tooLarge(cut(reason))
        case .impossible(let reason): .impossible(cut(reason))
        }
    }

    /// In Unicode scalars.
    private static let longestReason = 4000
}

/// Judges run directories of others in a process of its own, so that one that takes too long or too much memory costs nobody else
/// anything: the process is ended, not the server.
package struct JudgingProcess: Sendable {
    /// What one run may take.
    enum Budget {
        /// Processor time in seconds.
        static let processorTime = 30
        /// Seconds until the end, in which others may have the processor or the store.
        static let time = 180
        /// Memory in bytes: 512 MiB. What is read is counted more strictly, see `EvidenceBudget`.
        static let memory = 512 << 20
    }

    /// The command of Kanmon that does it, in the process that is started for that.
    package static let command = "judge-directory"

    let home: Home
    let surroundings: Surroundings

    /// Judges a directory and stores the result.
    ///
    /// - Parameter place: Where the directory is moved once the run is stored, instead of what is there; `nil` if it lies in its place.
    /// - Throws: `Problem` if the process could not do its work for a reason that is not in the directory.
    func judge(_ path: String, replacing place: String? = nil) throws -> JudgingAnswer {
        // This program, also when its file was replaced since it was started.
        let program = "/proc/\(getpid())/exe"
        let arguments =
            [program, Self.command, path, "--home", home.path] + (place.map { ["--replace", $0] } ?? [])
        let result = Mutex<Result<(TerminationStatus, [UInt8]), any Error>?>(nil)
        // It is called on a thread that may wait.
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let outcome: Result<(TerminationStatus, [UInt8]), any Error>
            do {
                let ended = try await Subprocess.run(
                    .name("env"), arguments: Arguments(arguments), environment: .inherit, input: .none,
                    output: .bytes(limit: 1 << 20), error: .discarded)
                outcome = .success((ended.terminationStatus, ended.standardOutput))
            } catch {
                outcome = .failure(error)
            }
            result.withLock { $0 = outcome }
            isDone.signal()
        }
        isDone.wait()
        guard let (status, output) = try result.withLock({ $0 })?.get() else {
            throw Problem(.internalError, "nothing came of judging")
        }
        return try Self.answer(status, output)
    }

    private static func answer(_ status: TerminationStatus, _ output: [UInt8]) throws -> JudgingAnswer {
        switch status {
        case .exited(0):
            do {
                return try JSONDecoder().decode(JudgingAnswer.self, from: Data(output))
            } catch {
                throw Problem(.internalError, "the answer of the process that judges cannot be read")
            }
        case .exited(let status): throw Problem(.ioError, "the process that judges ended with status \(status)")
        default:
            return .tooLarge(
                "judging it takes more than \(Budget.processorTime) s of processor time or \(Budget.memory >> 20) MiB")
        }
    }

    /// Gives this process the budget of one run. Beyond it the system ends the process.
    package static func limitThisProcess() {
        func limit(_ resource: __rlimit_resource, _ value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        }
        limit(RLIMIT_CPU, Budget.processorTime)
        limit(RLIMIT_DATA, Budget.memory)
        limit(RLIMIT_CORE, 0)
        alarm(UInt32(Budget.time))
        // Pages and other deliveries come first.
        _ = nice(10)
    }
}
