import Foundation
package import Gate
import RunModel
import Subprocess

/// What judging a run directory came to, as the process that did it says.
package enum JudgingAnswer: Sendable, Hashable, Codable {
    /// It was judged, and stored where that was requested.
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
    let process: ProcessContext

    /// What has to be done between judging a run and storing it.
    typealias Work = @Sendable () async throws -> Void

    /// With this line the process says that it has judged the run, and waits.
    private static let question = "judged\n"
    /// With this line it goes on.
    private static let go = "go"
    /// The most that it says, in bytes.
    private static let mostOutput = 1 << 20

    /// Judges a directory and stores the result.
    ///
    /// - Parameters:
    ///   - place: Where the directory belongs, if it does not lie there yet; see `Checkpoint.store`.
    ///   - whenJudged: Is done when the verdict is known, and before anything is stored or moved. What it throws is thrown here, and
    ///     nothing is stored.
    /// - Throws: `Problem` if the process could not do its work for a reason that is not in the directory.
    func judge(_ path: String, movingTo place: String? = nil, whenJudged: Work? = nil) throws -> JudgingAnswer {
        // This program, also when its file was replaced since it was started.
        let program = "/proc/\(getpid())/exe"
        var arguments = [program, Self.command, path, "--home", home.path]
        if let place { arguments += ["--move-to", place] }
        if whenJudged != nil { arguments.append("--ask") }
        let words = arguments
        // It is called on a thread that may wait.
        return try ThreadWait.value { try await Self.answer(of: words, whenJudged) }
    }

    private static func answer(of arguments: [String], _ whenJudged: Work?) async throws -> JudgingAnswer {
        let ended = try await Subprocess.run(
            .name("env"), arguments: Arguments(arguments), environment: .inherit, input: .inputWriter,
            output: .sequence, error: .discarded
        ) { execution -> Result<[UInt8], any Error> in
            var output: [UInt8] = []
            for try await piece in execution.standardOutput {
                piece.withUnsafeBytes { output.append(contentsOf: $0) }
                guard output.count <= mostOutput else {
                    return .failure(Problem(.internalError, "the process that judges says too much"))
                }
                guard let whenJudged, output == Array(question.utf8) else { continue }
                output = []
                do {
                    try await whenJudged()
                } catch {
                    // Its input ends here, and with that the process.
                    return .failure(error)
                }
                // Where it has ended meanwhile, its status says so.
                _ = try? await execution.standardInputWriter.write(Array("\(go)\n".utf8))
            }
            return .success(output)
        }
        return try answer(ended.terminationStatus, try ended.closureResult.get())
    }

    /// In that process: says that the run is judged, and waits until it may be stored. Waiting takes nothing of the budget.
    ///
    /// - Throws: `Problem` if it may not be stored.
    package static func ask() throws {
        StandardStreams.write(question, to: STDOUT_FILENO)
        let left = alarm(0)
        let answer = readLine()
        alarm(left)
        guard answer == go else { throw Problem(.ioError, "the run is not to be stored") }
    }

    /// What the process has said, by how it ended.
    static func answer(_ status: TerminationStatus, _ output: [UInt8]) throws -> JudgingAnswer {
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
