import RunModel

extension DemoRunPlan {
    /// What goes wrong in this run, if anything does.
    func apply(to run: inout TestRun) {
        switch accident {
        case .brokenBuild:
            run.steps[0].termination = .exited(1)
            run.steps.removeLast()
            run.tests = []
            run.coverage = nil
            run.diagnostics = [
                BuildDiagnostic(
                    severity: .error, message: "cannot find 'PlaylistOrder' in scope",
                    location: SourceLocation(path: "Sources/VideoKit/Playlist.swift", line: 9, column: 16)),
                BuildDiagnostic(
                    severity: .warning, message: "variable 'page' was never mutated; consider changing to 'let'",
                    location: SourceLocation(path: "Sources/VideoKit/Playlist.swift", line: 27, column: 13)),
            ]
        case .truncatedReport:
            for index in run.tests.indices where run.tests[index].id.module == "YoutubeAPITests" {
                run.tests[index].outcome = .notRun
                run.tests[index].attempts = []
            }
            run.gaps = [
                Gap(
                    .reportTruncated, subject: "xunit/tests.xml",
                    detail: "the report ends in line 214, inside of <testsuite>")
            ]
        case .onlyThumbnails:
            run.selection = Selection(filters: ["^ThumbnailKitTests"])
            run.tests.removeAll { $0.id.module != "ThumbnailKitTests" }
        case .uncommitted:
            run.revision?.isDirty = true
            run.revision?.tree = nil
        case nil: break
        }
    }
}
