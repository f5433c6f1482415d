import Evidence
import Foundation
import Gate
import RunModel
import SettingsFile
import TestResults
import TestRunning

/// Takes in evidence that is already there.
package struct Intake: Sendable {
    package let checkpoint: Checkpoint

    package init(checkpoint: Checkpoint) { self.checkpoint = checkpoint }

    private var process: ProcessContext { checkpoint.process }

    /// Reads and judges a run directory without keeping anything: what cannot be read, or cannot be true, must leave no trace.
    package func check(_ path: String) throws {
        let given = try RunDirectory(path: process.real(path)).remembered()
        try given.manifest().checkTime(now: process.now, path: given.path)
        // What the policy has to know of the past is for the store to say, which is not asked here.
        _ = try Verdict(judging: TestRun.read(from: given), in: given) { _ in PastResults() }
    }

    /// Copies a run directory that was checked into the home, unless it lies there already, and judges it.
    ///
    /// A copy there that is damaged gives way to a whole one: a folder that was cut short on its way may come again.
    package func takeRunDirectory(_ path: String) throws -> Judgement {
        let given = RunDirectory(path: process.real(path))
        let manifest = try given.manifest()
        // It may be another one than was checked.
        try manifest.checkTime(now: process.now, path: given.path)
        let kept = RunDirectory(path: checkpoint.home.runDirectory(project: manifest.project, id: manifest.id))
        if process.real(kept.path) != given.path {
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
                StandardStreams.tell("kanmon: the damaged copy of run \(manifest.id.short) is replaced by this one")
            }
        }
        return try checkpoint.judge(kept)
    }

    /// Makes one run of report files, judges it by the settings of the package given, and keeps the files.
    ///
    /// Its id follows from the content and the time of the newest file, and from what was told of them, so that taking the same
    /// files twice is one run.
    package func takeReports(_ files: [String], _ told: ReportOptions, packagePath: String) async throws -> Judgement {
        var subject = try await ForeignSubject.find(told, packagePath: packagePath, checkpoint)
        // Before they are read: what is written meanwhile is newer than what was read.
        let moment = Self.newest(of: files) ?? process.now
        try ReportIntake.checkTime(of: files, moment, now: process.now)
        // One that is not there is made only when there is something to keep.
        if checkpoint.home.isThere { checkpoint.home.prepare() }
        let intake = try ReportIntake(copying: files, into: checkpoint.home.runs(of: subject.project))
        defer { intake.discard() }
        let (kept, run) = try keep(intake, at: moment, &subject)
        return try checkpoint.judge(kept, known: run)
    }

    /// Keeps reports as a run directory.
    ///
    /// - Returns: The directory, and what is in it, where it need not be read again.
    private func keep(
        _ intake: ReportIntake, at moment: Date, _ subject: inout ForeignSubject
    ) throws -> (RunDirectory, TestRun?) {
        for line in try intake.descriptions() { StandardStreams.tell("kanmon: \(line)") }
        let seed = intake.seed(told: try subject.identity())
        var run = try self.run(of: intake, seed: seed, at: moment, subject)
        subject.narrowComparisons(to: run)
        do {
            // Before it is kept: a wrong policy must leave no trace.
            _ = try Verdict(
                judging: run, by: subject.policy.policy, past: PastResults(), against: subject.baseline,
                changed: subject.comparison)
        } catch {
            throw subject.policy.located(error)
        }
        let place = checkpoint.home.runDirectory(project: subject.project, id: run.id)
        checkpoint.home.prepare()
        // Gaps and notes name files, and kept files have names of their own.
        guard let kept = try keep(intake, of: run, seed: seed, subject, at: place), run.gaps.isEmpty, run.notes.isEmpty
        else {
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

    private func run(
        of intake: ReportIntake, seed: String, at moment: Date, _ subject: ForeignSubject
    ) throws -> TestRun {
        let id = RunID(of: subject.project, seed: seed, at: moment)
        var run = try TestRun.ingesting(
            intake.reports, id: id, project: subject.project, package: subject.name, at: moment,
            packageRoot: subject.root, maps: subject.maps, modules: subject.modules)
        run.origin = process.origin()
        run.notes += subject.notes
        if let revision = subject.revision { run.claim(revision) }
        return run
    }

    /// Keeps reports as a run directory; `nil` when there is one of the same already.
    private func keep(
        _ intake: ReportIntake, of run: TestRun, seed: String, _ subject: ForeignSubject, at place: String
    ) throws -> RunDirectory? {
        if FileManager.default.fileExists(atPath: place) { return nil }
        let files =
            [try KeptJSON.policy.givenFile(subject.policy.policy)]
            + (try subject.baseline.map { [try KeptJSON.baseline.givenFile($0)] } ?? [])
            + (try subject.comparison.map { [try KeptJSON.comparison.givenFile($0)] } ?? [])
        do {
            return try intake.keep(
                of: run, seed: seed, packageRoot: subject.root, maps: subject.maps, notes: subject.notes,
                kanmonVersion: Release.version, arguments: process.arguments,
                givenFiles: files.map { ($0.role, $0.fileName, Array($0.bytes)) }, at: place)
        } catch {
            // Somebody else may have kept the same meanwhile.
            guard FileManager.default.fileExists(atPath: place) else { throw error }
            return nil
        }
    }
}
