import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

/// What is said of a clean build where it is not known which objects are linked.
@Suite struct LinkedObjectsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for build in Self.builds {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/scratch/\(build)", withIntermediateDirectories: true)
        }
    }

    /// The folders of the clean build and of the one before.
    private static let builds = ["debug", "kanmon-previous"]

    /// Links a product of objects in both builds.
    private func link(_ product: String, of objects: [String]) throws {
        for build in Self.builds {
            for object in objects { try folder.write("of \(object)", to: "scratch/\(build)/\(object)") }
            let list = objects.map { "'\(folder.path)/scratch/debug/\($0)'\n" }.joined()
            try folder.write(list, to: "scratch/\(build)/\(product).product/Objects.LinkFileList")
        }
    }

    /// What the comparison of both builds finds.
    private func gaps() async throws -> [Gap] {
        let writer = try RunDirectory.Writer(creating: "\(folder.path)/runs/1")
        let request = RunRequest(
            package: TestedPackage(root: folder.path, project: "sample"), options: RunOptions(engine: .swiftTest),
            scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/runs/1",
            cacheDirectory: "\(folder.path)/cache", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
            arguments: ["run"], kanmonVersion: "test", parentEnvironment: [:])
        var execution = try RunExecution(request, writer, { _ in })
        let invocation = TestInvocation(
            tools: ToolPaths(directory: "/none"), packageRoot: folder.path, scratchPath: "\(folder.path)/scratch",
            package: "Kit", environment: [:], files: execution.files)
        let clean = ProductFolder(invocation)
        let before = clean.moved(to: "\(folder.path)/scratch/kanmon-previous")
        try await execution.compareObjects(before, clean, invocation)
        return execution.gaps
    }

    @Test func `objects that are the same leave nothing open`() async throws {
        try link("Kit", of: ["Kit.build/a.swift.o", "Kit.build/b.swift.o"])
        #expect(try await gaps() == [])
    }

    @Test func `a build without a list of what is linked is not known to be clean`() async throws {
        #expect(
            try await gaps() == [
                Gap(.staleBuild, detail: "which objects are linked cannot be found, so that nothing was compared")
            ])
    }

    @Test func `neither is one that links nothing of its own`() async throws {
        for build in Self.builds {
            try folder.write("/elsewhere/a.o\n", to: "scratch/\(build)/Kit.product/Objects.LinkFileList")
        }
        #expect(try await gaps().map(\.subject) == [""])
    }

    @Test(arguments: builds, [true, false])
    func `one list that is not there or is empty is told, whatever others say`(
        build: String, isEmpty: Bool
    ) async throws {
        try link("Kit", of: ["Kit.build/a.swift.o"])
        try link("Tool", of: ["Kit.build/a.swift.o"])
        let list = "scratch/\(build)/Tool.product/Objects.LinkFileList"
        if isEmpty {
            try folder.write("", to: list)
        } else {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(list)")
        }
        #expect(
            try await gaps() == [
                Gap(
                    .staleBuild, subject: "Tool",
                    detail: "which objects it is linked of cannot be found, so that not all were compared")
            ])
    }
}
