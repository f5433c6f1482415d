import CodeCoverage
import Evidence
import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct CompilationTests {
    private func compilation(_ json: String, of module: String) throws -> Compilation {
        let folder = try TemporaryFolder()
        return try Compilation.of(module, in: folder.write(json, to: "description.json"))
    }

    private func command(_ module: String, _ path: String, _ arguments: String) -> String {
        """
        {"moduleName": "\(module)", "importPath": "\(path)", "moduleOutputPath": "\(path)/\(module).swiftmodule",
        "otherArguments": [\(arguments)]}
        """
    }

    @Test func `only what is needed to import the module again is taken from how it was compiled`() throws {
        let arguments =
            #""-Onone", "-j2", "-Xcc", "-I", "-Xcc", "/p/include", "-I", "/extra", "-swift-version", "6", "-g", "-Xcc""#
        let found = try compilation(
            #"{"swiftCommands": {"C.Kit": \#(command("Kit", "/b/Modules", arguments))}}"#, of: "Kit")
        #expect(
            found.extraction == [
                "-module-name", "Kit", "-I", "/b/Modules", "-Xcc", "-I", "-Xcc", "/p/include", "-I", "/extra",
                "-swift-version", "6", "-minimum-access-level", "public", "-skip-synthesized-members",
            ])
    }

    @Test func `what was compiled for the machine that builds comes second`() throws {
        let commands =
            #""C.Kit-a": \#(command("Kit", "/b/Modules-tool", "")), "C.Kit-b": \#(command("Kit", "/b/Modules", ""))"#
        let found = try compilation(#"{"swiftCommands": {\#(commands)}}"#, of: "Kit")
        #expect(found.moduleOutputPath == "/b/Modules/Kit.swiftmodule")
        let only = #""C.Kit-a": \#(command("Kit", "/b/Modules-tool", ""))"#
        #expect(
            try compilation(#"{"swiftCommands": {\#(only)}}"#, of: "Kit").moduleOutputPath
                == "/b/Modules-tool/Kit.swiftmodule")
    }

    @Test(arguments: [
        ("{}", "describes the build in no way that is known"), (#"{"swiftCommands": {}}"#, "has no module 'Kit'"),
    ])
    func `a build that is described otherwise is said to be unknown`(json: String, reason: String) throws {
        let error = try #require(throws: SymbolsUnavailable.self) { try compilation(json, of: "Kit") }
        #expect(error.description.hasSuffix(reason))
    }
}

@Suite struct SymbolPlaceTests {
    private static let objects = "/scratch/kanmon/objects.rsp"

    /// Why nothing is known of a run that built nothing and started its tests itself.
    private func reason(_ steps: [RunStep], _ coverage: CoverageProvenance?) async -> String? {
        var manifest = RunManifest(
            RunHead(
                id: SampleRuns.id(1), project: "kit", package: "Kit", startedAt: SampleRuns.moment,
                duration: .seconds(1), engine: .direct),
            RunFacts(
                toolchain: Toolchain(swiftVersion: "Swift version 6.3.1", llvmVersion: "LLVM 21", target: "t"),
                steps: steps),
            RunManifest.Contents(kanmonVersion: "test", packageRoot: "/kit", arguments: ["run"]))
        manifest.coverage = coverage
        let module = Module(
            name: "Kit", compilerName: "Kit", kind: .library, isSwift: true, path: "Sources/Kit", sources: [],
            dependencies: [])
        let extraction = SymbolExtraction(of: manifest, parentEnvironment: [:])
        let error = await #expect(throws: SymbolsUnavailable.self) { try await extraction.graphs(of: module) }
        return error?.description
    }

    @Test func `the products of a run that built nothing are found by its list of objects`() async {
        let test = RunStep(
            kind: .test, arguments: ["/scratch/debug/KitPackageTests.xctest"], duration: .seconds(1),
            termination: .exited(0))
        let export = RunStep(
            kind: .export, arguments: ["/tools/llvm-cov", "export", "@\(Self.objects)"], duration: .seconds(1),
            termination: .exited(0))
        let read = CoverageProvenance(
            tools: "/tools", profiles: [], objects: Self.objects, functions: 1, duration: .seconds(1))
        let looked = "/scratch/debug/description.json is gone, in which the build of the run is described"
        #expect(await reason([test], read) == looked)
        #expect(await reason([test, export], nil) == looked)
        #expect(await reason([test], nil) == "the run exported no coverage of a build of its own")
    }
}

/// Asks the real toolchain about real builds.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct SymbolExtractionTests {
    private func api(_ run: SampleRun, _ name: String, startedAt moment: Date? = nil) async throws -> PublicAPI {
        var manifest = run.manifest
        // The run has the moment of a sample; that it was before the build would be true.
        manifest.startedAt = moment ?? Date()
        let module = try #require(manifest.modules.first { $0.name == name })
        let extraction = SymbolExtraction(of: manifest, parentEnvironment: ProcessInfo.processInfo.environment)
        let export = try #require(try RunDirectory(path: run.directory).coverageExport())
        return PublicAPI(try await extraction.graphs(of: module), export: export, manifest: manifest)
    }

    @Test func `what a run built tells what is public in it, until somebody builds it again`() async throws {
        let run = try await SampleRun("Attribution/one")
        let core = try await api(run, "Core")
        // An initializer and a method; of the accessors that a macro makes nothing is recorded.
        #expect("\(core.executed), \(core.unexecuted.count), \(core.withoutCode)" == "2, 0, 1")
        // The tool is an executable: nothing of it is public.
        let tool = try await api(run, "MakerTool")
        #expect("\(tool.executed), \(tool.unexecuted.count), \(tool.withoutCode)" == "0, 0, 0")
        let error = await #expect(throws: SymbolsUnavailable.self) {
            try await api(run, "Core", startedAt: Date(timeIntervalSince1970: 0))
        }
        #expect(error?.description.hasSuffix("was written after the run: run it again") == true)
    }
}
