import Cryptography
public import Evidence
import Foundation
public import Mutation
import RunModel

/// Runs the tests of a package and writes a run directory: toolchain, targets, build, lists, tests, coverage.
///
/// A failed build, a failed test, a crash and a time limit are in the manifest. After an error there is no manifest.
public struct TestRunner: Sendable {
    /// Makes a runner, which has no state.
    public init() {}

    /// Runs the tests of a package and leaves a run directory.
    ///
    /// Cancelling the task ends every child; the results so far are kept, with the gap `interrupted`.
    ///
    /// - Parameter progress: Is called from several threads, in the order of events of each step.
    /// - Returns: The directory that was written.
    public func run(
        _ request: RunRequest,
        progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws(RunnerError) -> RunDirectory {
        try await withExecution(request, progress) { (execution, writer) throws(RunnerError) in
            let manifest = try await execution.manifest()
            return try keeping { () throws(EvidenceError) in try writer.finish(manifest, export: execution.export) }
        }
    }

    /// Processes existing profiles as a run does after its tests, and leaves a run directory with coverage only. It
    /// is for benchmarks, and for tests with profiles of another build.
    ///
    /// - Parameter profiles: A folder of raw profiles, which are not removed. The objects are in the scratch folder.
    public func measure(_ request: RunRequest, profiles: String) async throws(RunnerError) -> RunDirectory {
        try await withExecution(request, { _ in }) { (execution, writer) throws(RunnerError) in
            let manifest = try await execution.measuredManifest(of: profiles)
            return try keeping { () throws(EvidenceError) in try writer.finish(manifest, export: execution.export) }
        }
    }

    /// Locks the scratch folder and makes an unfinished run directory, which is removed after an error.
    private func withExecution<Value: Sendable>(
        _ request: RunRequest,
        _ progress: @escaping @Sendable (RunProgress) -> Void,
        _ body: (inout RunExecution, RunDirectory.Writer) async throws(RunnerError) -> Value
    ) async throws(RunnerError) -> Value {
        guard FileManager.default.fileExists(atPath: "\(request.package.root)/Package.swift") else {
            throw .packageNotFound(path: request.package.root)
        }
        let lock = try await ScratchLock.acquire(
            scratchPath: request.scratchPath,
            owner: "run \(request.runID), process \(getpid())",
            package: request.package.root,
            timeout: request.options.limits.lock
        ) { progress(.waiting(owner: $0)) }
        let writer = try keeping { () throws(EvidenceError) in
            try RunDirectory.Writer(creating: request.runDirectory)
        }
        let watched = RunProgressReporter(request, writing: writer.path, progress)
        defer { watched.end() }
        do throws(RunnerError) {
            var execution = try RunExecution(request, writer, watched.progress)
            let value = try await body(&execution, writer)
            _ = consume lock
            return value
        } catch {
            // The error that ended the run is the one to report.
            try? writer.discard()
            request.progressFiles?.remove(request.runID)
            throw error
        }
    }

    /// Builds a package as a run would, and records its inputs, so that a run on another machine may use the
    /// products.
    ///
    /// - Throws: Also when the files in the folder are not those of a commit.
    public func build(
        _ request: RunRequest,
        progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws(RunnerError) -> BuildReport {
        try await withExecution(request, progress) { (execution, writer) throws(RunnerError) in
            let report = try await execution.products()
            try keeping { () throws(EvidenceError) in try writer.discard() }
            return report
        }
    }

    /// Tries the mutants of a change: builds the package with all of them, and runs for each the tests that execute it.
    ///
    /// Cancelling the task ends every child; the mutants that were not tried by then are in the report as such.
    ///
    /// - Parameter request: The package's folder is changed, so it must be a copy that nobody else uses.
    public func mutate(
        _ request: RunRequest, _ mutation: MutationRequest, progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws(RunnerError) -> MutationReport {
        try await withExecution(request, progress) { (execution, writer) throws(RunnerError) in
            let report = try await execution.mutate(mutation)
            try keeping { () throws(EvidenceError) in try writer.discard() }
            return report
        }
    }

    /// Builds what is out of date as a run would, and repeats some tests, without coverage.
    ///
    /// Cancelling the task ends every child; what was not repeated by then is missing in the report. Nothing is kept but the build.
    ///
    /// - Parameter request: Its limit for the whole run holds for all that comes before the tests; its run directory is discarded.
    public func trial(
        _ request: RunRequest, _ trial: TrialRequest, progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws(RunnerError) -> TrialReport {
        try await withExecution(request, progress) { (execution, writer) throws(RunnerError) in
            let report = try await execution.trial(trial)
            try keeping { () throws(EvidenceError) in try writer.discard() }
            return report
        }
    }

    /// Builds what is out of date as a run would, and repeats tests until they have proven themselves, without coverage.
    ///
    /// Cancelling the task ends every child; what is known by then is in the report. Nothing is kept but the build.
    ///
    /// - Parameters:
    ///   - request: Its limit for the whole run holds for all that comes before the tests; its run directory is discarded.
    ///   - names: The tests: identities, or expressions as a run takes them for filters.
    public func stress(
        _ request: RunRequest, _ stress: StressRequest, of names: [String],
        progress: @escaping @Sendable (RunProgress) -> Void
    ) async throws(RunnerError) -> StressReport {
        try await withExecution(request, progress) { (execution, writer) throws(RunnerError) in
            let report = try await execution.stress(names, stress)
            try keeping { () throws(EvidenceError) in try writer.discard() }
            return report
        }
    }

    /// The folder for the build products of one package folder, never of two.
    ///
    /// - Parameters:
    ///   - cacheHome: Such as `~/.cache`.
    ///   - packageRoot: Absolute, with links resolved.
    public static func scratchPath(cacheHome: String, packageRoot: String) -> String {
        let hash = SHA256.hash(packageRoot.utf8).hexadecimal
        return "\(cacheHome)/kanmon/build/\(hash.prefix(16))"
    }
}
