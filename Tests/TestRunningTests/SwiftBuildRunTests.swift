import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

/// What becomes of a run whose build Swift Build makes, with scripts in the place of a toolchain.
@Suite struct SwiftBuildRunTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("// swift-tools-version: 6.0\n", to: "kit/Package.swift")
        _ = try folder.write("", to: "kit/Tests/KitTests/KitTests.swift")
    }

    private func manifest(building: String) async throws -> RunManifest {
        let toolchain = try ScriptedToolchain(in: folder, target: "KitTests", building: building, isTest: true)
        let request = RunRequest(
            package: TestedPackage(root: "\(folder.path)/kit", project: "kit"),
            options: RunOptions(swift: toolchain.swift, buildSystem: .swiftbuild),
            scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/runs/1",
            cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
            arguments: ["run"], kanmonVersion: "test", parentEnvironment: ["PATH": "/usr/bin:/bin"])
        return try await TestRunner().run(request) { _ in }.manifest()
    }

    /// A shell's case for the question where the products are, and one for the build.
    private func building(_ build: String) -> String {
        "case \"$*\" in *--show-bin-path*) echo '\(folder.path)/scratch/out/Products/Debug-linux'; exit 0 ;; *) \(build) ;; esac"
    }

    @Test func `a build that a signal ends is made again, and says nothing if that one works`() async throws {
        let once = "test -e ../crashed && exit 0; touch ../crashed; kill -SEGV $$"
        let manifest = try await manifest(building: building(once))
        #expect(manifest.gaps.map(\.code) == [.testsNotRun])
        #expect(
            manifest.notes.filter { $0.code == .buildSystemFailed } == [
                Note(
                    .buildSystemFailed, subject: "swiftbuild",
                    detail: "signal 11 ended Swift Build, which was started again")
            ])
        #expect(manifest.steps.filter { $0.kind == .build }.map(\.termination) == [.exited(0)])
    }

    @Test func `a build that a signal ends each time is a fault of Swift Build`() async throws {
        let manifest = try await manifest(building: building("echo x >> ../builds; kill -SEGV $$"))
        #expect(FileManager.default.contents(atPath: "\(folder.path)/builds") == Data("x\nx\nx\n".utf8))
        #expect(
            manifest.gaps == [
                Gap(.buildSystemFailed, subject: "swiftbuild", detail: "signal 11 ended Swift Build")
            ])
        #expect(manifest.toolchain?.buildSystem == .swiftbuild)
        #expect(manifest.steps.last?.arguments.contains("swiftbuild") == true)
    }

    @Test func `a build with an error of a source is none`() async throws {
        let manifest = try await manifest(building: building("echo '/p/A.swift:1:1: error: no'; exit 1"))
        #expect(manifest.gaps == [])
        #expect(manifest.steps.last.map { [$0.kind == .build, $0.termination == .exited(1)] } == [true, true])
    }

    @Test func `a test target without a runner is missed`() async throws {
        let manifest = try await manifest(building: building("exit 0"))
        #expect(
            manifest.gaps == [
                Gap(
                    .testsNotRun, subject: "KitTests",
                    detail: "Swift Build made no KitTests-test-runner with a library beside it")
            ])
        #expect(manifest.passes == nil)
    }

    @Test func `nobody is asked for tests where SwiftPM does not say where its products are`() async throws {
        let script = "case \"$*\" in *--show-bin-path*) echo 'error: no' >&2; exit 1 ;; *) exit 0 ;; esac"
        let manifest = try await manifest(building: script)
        #expect(
            manifest.gaps == [Gap(.testsNotRun, detail: "SwiftPM does not say where its products are: error: no")])
    }

    @Test func `what an earlier build has left is gone before the next one`() async throws {
        let old = "\(folder.path)/scratch/out/Products/Debug-linux/KitTests"
        _ = try folder.write("x", to: "scratch/out/Products/Debug-linux/KitTests.so")
        _ = try folder.write("x", to: "scratch/out/Products/Debug-linux/KitTests-test-runner")
        let manifest = try await manifest(building: building("exit 0"))
        #expect(manifest.gaps.map(\.subject) == ["KitTests"])
        #expect(!FileManager.default.fileExists(atPath: "\(old).so"))
    }

    @Test func `its products are for no run elsewhere`() async throws {
        let toolchain = try ScriptedToolchain(in: folder, target: "KitTests", isTest: true)
        let request = RunRequest(
            package: TestedPackage(
                root: "\(folder.path)/kit", project: "kit",
                revision: Revision(commit: "c", tree: "t", branch: nil, isDirty: false)),
            options: RunOptions(swift: toolchain.swift, buildSystem: .swiftbuild),
            scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/runs/1",
            cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
            arguments: ["build"], kanmonVersion: "test", parentEnvironment: ["PATH": "/usr/bin:/bin"])
        let error = await #expect(throws: RunnerError.self) {
            _ = try await TestRunner().build(request) { _ in }
        }
        #expect(error?.description.contains("build.system is swiftbuild") == true)
    }
}
