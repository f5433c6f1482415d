import Evidence
import Foundation
import Gate
import RunModel
import SettingsFile
import TestRunning

/// Takes in evidence that is already there.
struct Intake: Sendable {
    let checkpoint: Checkpoint

    private var surroundings: Surroundings { checkpoint.surroundings }

    /// Reads and judges a run directory without keeping anything: what cannot be read, or cannot be true, must leave no trace.
    func check(_ path: String) throws {
        let given = RunDirectory(path: surroundings.real(path))
        try given.manifest().checkTime(now: surroundings.now, path: given.path)
        // What the policy has to know of the past is for the store to say, which is not asked here.
        _ = try Verdict(judging: TestRun.read(from: given), in: given) { _ in PastResults() }
    }

    /// Copies a run directory that was checked into the home, unless it lies there already, and judges it.
    ///
    /// A copy there that is damaged gives way to a whole one: a folder that was cut short on its way may come again.
    func takeRunDirectory(_ path: String) throws -> Judgement {
        let given = RunDirectory(path: surroundings.real(path))
        let manifest = try given.manifest()
        // It may be another one than was checked.
        try manifest.checkTime(now: surroundings.now, path: given.path)
        let kept = RunDirectory(path: checkpoint.home.runDirectory(project: manifest.project, id: manifest.runID))
        if surroundings.real(kept.path) != given.path {
            checkpoint.home.prepare()
            if !FileManager.default.fileExists(atPath: kept.path) {
                do throws(EvidenceError) {
                    _ = try given.copy(manifest, to: kept.path, replacing: false)
                } catch {
                    // Somebody else may have taken in the same run meanwhile.
                    guard FileManager.default.fileExists(atPath: kept.path) else { throw error }
                }
            } else if try !kept.isWhole(), try given.isWhole() {
                _ = try given.copy(manifest, to: kept.path, replacing: true)
                StandardStreams.tell("kanmon: the damaged copy of run \(manifest.runID.short) is replaced by this one")
            }
        }
        return try checkpoint.judge(kept)
    }

    /// Makes one run of report files, judges it by the settings of the package given, and keeps the files.
    ///
    /// Its id follows from the content and the time of the newest file, so that taking the same files twice is one run.
    func takeReports(_ files: [String], project: String?, packagePath: String) async throws -> Judgement {
        let package = try await foreignPackage(project: project, path: packagePath)
        // Before they are read: what is written meanwhile is newer than what was read.
        let moment = Self.newest(of: files) ?? surroundings.now
        try ReportIntake.checkTime(of: files, moment, now: surroundings.now)
        // One that is not there is made only when there is something to keep.
        if checkpoint.home.isThere { checkpoint.home.prepare() }
        let intake = try ReportIntake(copying: files, into: checkpoint.home.runs(of: package.project))
        defer { intake.discard() }
        let (kept, run) = try keep(intake, at: moment, package)
        return try checkpoint.judge(kept, known: run)
    }

    /// Keeps reports as a run directory.
    ///
    /// - Returns: The directory, and what is in it, where it need not be read again.
    private func keep(
        _ intake: ReportIntake, at moment: Date, _ package: ForeignPackage
    ) throws -> (RunDirectory, TestRun?) {
        var run = try self.run(of: intake, at: moment, package)
        do {
            // Before it is kept: a wrong policy must leave no trace.
            _ = try Verdict(judging: run, by: package.settings.policy)
        } catch {
            throw package.settings.located(error)
        }
        let place = checkpoint.home.runDirectory(project: package.project, id: run.id)
        checkpoint.home.prepare()
        // Gaps and notes name files, and kept files have names of their own.
        guard let kept = try keep(intake, of: run, package, at: place), run.gaps.isEmpty, run.notes.isEmpty else {
            return (RunDirectory(path: place), nil)
        }
        run.startedAt = try kept.manifest().startedAt
        return (kept, run)
    }

    /// When the newest of some files was changed; `nil` where none is there, which is for its reader to refuse.
    private static func newest(of files: [String]) -> Date? {
        files.compactMap { file in
            (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
        }.max()
    }

    private func run(of intake: ReportIntake, at moment: Date, _ package: ForeignPackage) throws -> TestRun {
        let id = RunID(of: package.project, seed: intake.seed, at: moment)
        var run = try TestRun.ingesting(
            intake.reports, id: id, project: package.project, package: package.name, at: moment,
            packageRoot: package.root, modules: package.modules)
        run.origin = surroundings.origin()
        return run
    }

    /// Keeps reports as a run directory; `nil` when there is one of the same already.
    private func keep(
        _ intake: ReportIntake, of run: TestRun, _ package: ForeignPackage, at place: String
    ) throws -> RunDirectory? {
        if FileManager.default.fileExists(atPath: place) { return nil }
        let policy = try KeptJSON.policy.givenFile(package.settings.policy)
        do {
            return try intake.keep(
                of: run, packageRoot: package.root, kanmonVersion: Kanmon.version, arguments: surroundings.arguments,
                givenFiles: [(policy.role, policy.fileName, Array(policy.bytes))], at: place)
        } catch {
            // Somebody else may have kept the same meanwhile.
            guard FileManager.default.fileExists(atPath: place) else { throw error }
            return nil
        }
    }

    /// The package that reports are about: the one at `path`, or, with a project named, none at all.
    private func foreignPackage(project: String?, path: String) async throws -> ForeignPackage {
        guard FileManager.default.fileExists(atPath: surroundings.absolute(path) + "/Package.swift") else {
            guard let project else {
                throw Problem(
                    .usage, "there is no package here that names the project", hint: "name it with --project")
            }
            return ForeignPackage(project: project, name: project)
        }
        let context = try await PackageContext.load(path, surroundings: surroundings)
        let described = try await context.describe(surroundings, home: checkpoint.home)
        return ForeignPackage(
            project: project ?? context.project, name: described.name, root: context.root, modules: described.modules,
            settings: context.settings
        )
    }
}

/// The package that another runner's reports are about, as far as it is known.
private struct ForeignPackage {
    var project: String
    var name: String
    var root = ""
    var modules: [Module] = []
    var settings = Settings()
}
