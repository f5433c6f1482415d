import Foundation
import Gate
import Repository
import RunModel
import SettingsFile

/// Judges trees of a repository in its shadow work tree; the user's files are never involved.
struct TreeJudge: Sendable {
    let surroundings: Surroundings
    let checkpoint: Checkpoint
    let repository: GitRepository
    /// The top of the user's work tree.
    let top: String
    /// Where the package lies in it; empty for the top.
    let subpath: String

    /// Lays the tree out, runs and judges it, and prints the report.
    ///
    /// - Throws: The exit status of any verdict but passed.
    func judge(
        _ tree: ObjectID, revision: Revision, head: BaselineFinder.Head = .workingCopy(isCommit: false)
    ) async throws {
        let owner = LockOwner(
            pid: ProcessInfo.processInfo.processIdentifier, host: ProcessInfo.processInfo.hostName,
            since: surroundings.now)
        let shadow = try await ShadowTree.open(in: repository, owner: owner, patience: .seconds(3600)) { holder in
            StandardStreams.tell("kanmon: waiting for \(holder?.description ?? "another run")")
        }
        let laidOut = try await shadow.materialize(tree)
        let folder = subpath.isEmpty ? laidOut.path : "\(laidOut.path)/\(subpath)"
        guard FileManager.default.fileExists(atPath: folder + "/Package.swift") else {
            throw Problem(.usage, "the tree \(tree.hexadecimal.prefix(12)) has no Package.swift in '\(subpath)'")
        }
        // The settings of the tree that is judged, not of what lies in the working copy.
        let settings = try SettingsLoader(surroundings: surroundings).load(packageRoot: folder)
        let name = ((subpath.isEmpty ? top : subpath) as NSString).lastPathComponent
        let project =
            if let chosen = settings.project.value {
                chosen
            } else {
                try await repository.projectName(packageSubpath: subpath, packageName: name)
            }
        let finder = BaselineFinder(
            surroundings: surroundings, home: checkpoint.home, repository: repository, subpath: subpath,
            project: project, swiftOverride: settings.swift.value)
        let finding = try await finder.find(head, folder: surroundings.real(folder))
        var (comparison, notes): (ChangeComparison?, [Note]) = (nil, [])
        if let base = finding.baseline.commit, BaseSeeker.isWanted(by: settings.policy, finding.baseline) {
            let seeker = BaseSeeker(repository: repository, home: checkpoint.home, project: project, subpath: subpath)
            (comparison, notes) = try await seeker.compare(revision, with: base)
        }
        let subject = Checkpoint.Subject(
            packageRoot: surroundings.real(folder), project: project, revision: revision, settings: settings,
            notes: laidOut.notes + finding.notes + notes, baseline: finding.baseline, comparison: comparison)
        let watched = try await Watched(surroundings: surroundings).judge(subject, at: checkpoint)
        try Presentation(surroundings: surroundings).show(watched.judgement, json: false)
        shadow.close()
        try watched.conclude()
    }
}
