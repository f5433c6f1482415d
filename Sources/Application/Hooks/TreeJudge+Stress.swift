import Exports
import Foundation
import Gate
import Repository
import RunModel
import SettingsFile
package import TestRunning

extension TreeJudge {
    /// Repeats tests of a tree, which is checked out in the same place as for runs.
    ///
    /// - Parameter make: How they are repeated, by the name of the project.
    /// - Returns: What came of it, and the signal that ended it early, if one did.
    package func stress(
        _ subject: Subject, _ names: [String], by make: (_ project: String) throws -> StressRequest
    ) async throws -> (report: StressReport, signal: Int32?) {
        let (settings, project) = try await context(of: subject.tree)
        let stress = try make(project)
        let shadow = try await ShadowTree.open(in: repository, owner: lockOwner, timeout: .seconds(3600)) { holder in
            StandardStreams.tell("kanmon: waiting for \(holder?.description ?? "another run")")
        }
        let laidOut = try await shadow.materialize(subject.tree)
        let folder = subpath.folder(in: laidOut.path)
        guard FileManager.default.fileExists(atPath: folder + "/Package.swift") else {
            throw subpath.missing(in: subject.tree)
        }
        repository.rest()
        for difference in laidOut.differences.map(\.description) + laidOut.gaps.map(\.detail) {
            StandardStreams.tell("kanmon: the tree is not laid out exactly: \(TerminalText.safe(difference))")
        }
        let package = TestedPackage(
            root: process.real(folder), project: project, revision: subject.revision,
            repositoryTop: process.real(laidOut.path),
            repositoryCeiling: process.real((laidOut.path as NSString).deletingLastPathComponent))
        let result = try await InterruptibleRun(process: process).stress(
            Checkpoint.Subject(package: package, settings: settings), stress, of: names, at: checkpoint)
        shadow.close()
        return result
    }
}
