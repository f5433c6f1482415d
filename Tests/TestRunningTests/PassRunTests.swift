import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct PassRunTests {
    @Test func `a case that took its process along is not late in the process that follows`() async throws {
        let folder = try TemporaryFolder()
        func shell(_ script: String) -> ChildCommand {
            ChildCommand(
                executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"],
                workingDirectory: folder.path)
        }
        let start = #"{"ev":"start","t":1,"cls":"M.T","name":"crashes"}"#
        let pass = PassRun(
            number: 0, plan: PassPlan(reason: .first),
            commands: [shell("echo '\(start)' > \(RunFiles.Name.observerRecords); kill -9 $$"), shell("sleep 3")],
            files: RunFiles(evidence: folder.path, work: folder.path), limits: RunLimits(test: .seconds(2)),
            deadline: RunClock.now + .seconds(120), isolation: .reaper, progress: { _ in })
        let ending = try await pass.result().get()
        #expect(ending.steps.map { $0.outcome.termination } == [.signaled(9), .exited(0)])
        #expect(ending.diagnosis == nil)
    }
}
