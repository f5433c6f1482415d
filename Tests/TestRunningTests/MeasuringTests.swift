import CodeCoverage
import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

/// Real builds; see `SamplePackageTests`.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct MeasuringTests {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = try SampleRun.copy("LowCoverage", into: folder)
    }

    private func request(_ number: Int) -> RunRequest {
        RunRequest(
            package: TestedPackage(root: root, project: "sample"), scratchPath: "\(folder.path)/scratch",
            runDirectory: "\(folder.path)/runs/\(number)", cacheDirectory: "\(folder.path)/cache",
            runID: SampleRuns.id(number), startedAt: SampleRuns.moment, arguments: ["run"], kanmonVersion: "test",
            parentEnvironment: ProcessInfo.processInfo.environment)
    }

    /// Runs the tests once more, as nobody watches; leaves a profile.
    private func profile() async throws -> String {
        let profiles = "\(folder.path)/profiles"
        try FileManager.default.createDirectory(atPath: profiles, withIntermediateDirectories: true)
        let command = ChildCommand(
            executable: "\(folder.path)/scratch/debug/LowCoveragePackageTests.xctest",
            arguments: ["--testing-library", "swift-testing"],
            environment: ["LLVM_PROFILE_FILE": "\(profiles)/a.profraw"], workingDirectory: root)
        let outcome = try await ChildProcess(command, limits: .init(run: .seconds(60)), mergesStreams: false)
            .run(CapturedOutput())
        #expect(outcome.termination == .exited(0))
        return profiles
    }

    /// What the tools make of the same profiles and objects.
    private func exported(_ coverage: CoverageProvenance) async throws -> Data {
        let merged = "\(folder.path)/merged.profdata"
        let merge = ["merge", "-sparse", "-o", merged] + coverage.profiles
        let export = ["export", "-format=text", "-instr-profile=\(merged)", "@\(coverage.objects)"]
        var output = Data()
        for (tool, arguments) in [("llvm-profdata", merge), ("llvm-cov", export)] {
            let captured = CapturedOutput(limit: 1 << 20)
            let command = ChildCommand(
                executable: "\(coverage.tools)/\(tool)", arguments: arguments, environment: [:],
                workingDirectory: root)
            let outcome = try await ChildProcess(command, limits: .init(run: .seconds(60)), mergesStreams: false)
                .run(captured)
            #expect(outcome.termination == .exited(0))
            output = Data(captured.output)
        }
        return output
    }

    @Test func `a profile of this build is measured as in a run, and one of another build is a gap`() async throws {
        let run = try await TestRunner().run(request(1)) { _ in }
        let profiles = try await profile()
        let again = try await TestRunner().measure(request(2), profiles: profiles)
        #expect(try again.manifest().steps.map(\.kind) == [.demangle])
        #expect(try again.manifest().coverage?.functions == 1)
        #expect(try again.manifest().gaps == [])
        #expect(try again.coverageExport() == run.coverageExport())
        let coverage = try #require(try again.manifest().coverage)
        #expect(try await exported(coverage) == Data(contentsOf: URL(filePath: "\(again.path)/coverage.json")))

        let whole = try Data(contentsOf: URL(filePath: "\(profiles)/a.profraw"))
        let cut = try folder.write(whole.dropLast(8), to: "cut/a.profraw")
        let damaged = (cut as NSString).deletingLastPathComponent
        let left = try await TestRunner().measure(request(5), profiles: damaged).manifest()
        #expect(left.steps.map(\.kind) == [.merge])
        #expect(left.coverage == nil)
        #expect(left.gaps.map(\.code) == [.profileDamaged])

        let source = "\(root)/Sources/Greeting/Greeting.swift"
        let text = try String(contentsOfFile: source, encoding: .utf8)
        let longer = text.replacing("    if hour < 18 {", with: "    if hour < 15 { return \"\" }\n    if hour < 18 {")
        try longer.write(toFile: source, atomically: true, encoding: .utf8)
        _ = try await TestRunner().run(request(3)) { _ in }
        let stale = try await TestRunner().measure(request(4), profiles: profiles).manifest()
        #expect(stale.steps.map(\.kind) == [.merge, .export, .inventory])
        let detail =
            "1 of the 1 functions that were compiled are not in the coverage: the profile is of another build"
        #expect(stale.gaps == [Gap(.coverageStale, subject: "Sources/Greeting/Greeting.swift", detail: detail)])
    }
}
