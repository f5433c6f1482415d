import Application
import Exports
import Gate

/// Several packages of a repository, judged one after the other: what one of them comes to keeps no other from being judged.
struct SeveralPackages {
    /// What to say of a package with a status of 0.
    let passes: String
    private var outcomes: [(package: String, status: ExitStatus, words: String?)] = []

    init(passes: String) { self.passes = passes }

    /// Judges one more package; what is not a verdict is told, and counts as its status.
    ///
    /// - Parameters:
    ///   - package: How it is called here.
    ///   - body: Judges it, and returns what to say of it instead of `passes`; `nil` for that.
    mutating func judge(_ package: String, _ body: () async throws -> String?) async throws {
        let (status, words) = try await Self.outcome(body)
        outcomes.append((package, status, words))
    }

    /// Says of each package, in a line, what it came to.
    func tell() {
        for (package, status, words) in outcomes {
            StandardStreams.tell("kanmon: \(package): \(status == .passed ? words ?? passes : status.meaning)")
        }
    }

    /// Ends with the gravest status.
    ///
    /// - Parameter exitZero: Whether verdicts do not count. That there is none does.
    func conclude(exitZero: Bool = false) throws {
        let verdicts: Set<ExitStatus> = [.testsFailed, .gateFailed, .buildFailed, .undecided, .noTests]
        let gravest = ExitStatus.gravest(of: outcomes.map(\.status).filter { !exitZero || !verdicts.contains($0) })
        if gravest != .passed { throw gravest }
    }

    private static func outcome(
        _ body: () async throws -> String?
    ) async throws -> (status: ExitStatus, words: String?) {
        do {
            return (.passed, try await body())
        } catch let status as ExitStatus {
            return (status, nil)
        } catch let ending as SignalEnding {
            throw ending
        } catch {
            guard let problem = Problem(explaining: error) else { throw error }
            problem.tell()
            return (problem.status, nil)
        }
    }
}
