import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

@testable import TestRunning

@Suite struct BuiltProductsTests {
    private static let products = BuiltProducts(
        packageRoot: "/ci/kit", scratchPath: "/ci/cache/1", swift: "/toolchains/6.3/usr/bin/swift",
        toolchain: Toolchain(swiftVersion: "Swift version 6.3.1", llvmVersion: "LLVM 17", target: "x86_64"),
        tree: "0123456789abcdef", inputs: ["Package.swift": "a", "Sources/Kit/Kit.swift": "b"], testBinary: "c",
        products: ["Kit_Kit.resources/a.json": "d"])

    struct Change: Sendable {
        let words: String
        let apply: @Sendable (inout BuiltProducts) -> Void

        init(_ words: String, _ apply: @escaping @Sendable (inout BuiltProducts) -> Void) {
            self.words = words
            self.apply = apply
        }
    }

    @Test(arguments: [
        Change("they were built in /ci/other, and contain this path") { $0.packageRoot = "/ci/other" },
        Change("they were built into /ci/cache/2, and contain this path") { $0.scratchPath = "/ci/cache/2" },
        Change("they were built by /usr/bin/swift, whose libraries they load") { $0.swift = "/usr/bin/swift" },
        Change("they were built by Swift version 6.3.1 for aarch64") { $0.toolchain.target = "aarch64" },
        Change("they were built with --traits Fast --sanitize thread -Xswiftc -Ounchecked") {
            $0.toolchain.build = BuildChoice(traits: ["Fast"], sanitizer: .thread, swiftFlags: ["-Ounchecked"])
        },
        Change("they were built of the tree fedcba987654, this is 0123456789ab") { $0.tree = "fedcba9876543210" },
        Change("the test binary has changed since the build") { $0.testBinary = "d" },
        Change("Kit_Kit.resources/a.json is another") { $0.products["Kit_Kit.resources/a.json"] = "e" },
        Change("tool does not exist any more") { $0.products["tool"] = "t" },
    ])
    func `other products are detected`(change: Change) {
        var found = Self.products
        change.apply(&found)
        #expect(found.difference(from: Self.products) == change.words)
    }

    @Test func `a source that came, went or changed is named, the first by its bytes`() {
        var found = Self.products
        #expect(found.difference(from: Self.products) == nil)
        found.inputs["Sources/Kit/Kit.swift"] = "x"
        #expect(found.difference(from: Self.products) == "Sources/Kit/Kit.swift is another")
        found.inputs["Package.swift"] = nil
        #expect(found.difference(from: Self.products) == "Package.swift was not there")
        found.inputs["Local/a.zip"] = "y"
        #expect(found.difference(from: Self.products) == "Local/a.zip does not exist any more")
        found.version = 1
        #expect(found.difference(from: Self.products) == "their record has the version 1")
    }

    @Test func `what tests start or open beside their binary is a product`() throws {
        let folder = try TemporaryFolder()
        for file in [
            "tool", "libA.so", "kitPackageTests.xctest", "Kit_Kit.resources/a/b.json", "A.build/a.o", "a.json",
        ] {
            _ = try folder.write(file, to: file)
        }
        for file in ["tool", "libA.so", "kitPackageTests.xctest"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/\(file)")
        }
        let products = try BuiltProducts.products(in: folder.path)
        #expect(products.keys.sorted() == ["Kit_Kit.resources/a/b.json", "libA.so", "tool"])
    }

    private static func module(_ name: String, _ path: String, _ kind: Module.Kind = .library) -> Module {
        Module(
            name: name, compilerName: name, kind: kind, isSwift: kind != .binary, path: path, sources: [],
            dependencies: [])
    }

    @Test func `a build reads manifests, the folders of targets, and local packages`() throws {
        let folder = try TemporaryFolder()
        for file in [
            "kit/Package.swift", "kit/Package@swift-6.0.swift", "kit/Package.resolved", "kit/README.md",
            "kit/Sources/Kit/Kit.swift", "kit/Sources/Kit/Resources/a.json", "kit/Sources/Kit/.DS_Store",
            "kit/Tests/KitTests/KitTests.swift", "kit/.build/x", "dep/Package.swift", "dep/Sources/Dep/Dep.swift",
            "dep/.build/y",
        ] {
            let url = URL(filePath: "\(folder.path)/\(file)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.utf8).write(to: url)
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/kit/Sources/Kit/link", withDestinationPath: "nowhere")
        let package = PackageDescription(
            name: "kit", modules: [Self.module("Kit", "Sources/Kit"), Self.module("KitTests", "Tests/KitTests")],
            localDependencies: ["\(folder.path)/dep"])
        let inputs = try BuiltProducts.inputs(of: package, in: "\(folder.path)/kit")
        #expect(
            Set(inputs.keys) == [
                "Package.swift", "Package@swift-6.0.swift", "Sources/Kit/Kit.swift", "Sources/Kit/Resources/a.json",
                "Sources/Kit/link", "Tests/KitTests/KitTests.swift", "\(folder.path)/dep/Package.swift",
                "\(folder.path)/dep/Sources/Dep/Dep.swift",
            ])
        // printf nowhere | sha256sum
        #expect(
            inputs["Sources/Kit/link"] == "20aeff0494e828d188c704e1f488a589b15ae01d11f6cb129f62129caa6cc543")
    }

    @Test func `versions that the build pinned are no input, also where the package is one target`() throws {
        let folder = try TemporaryFolder()
        for file in ["Package.swift", "Package.resolved", "Kit.swift"] { _ = try folder.write(file, to: file) }
        let package = PackageDescription(name: "kit", modules: [Self.module("Kit", ".")])
        #expect(
            Set(try BuiltProducts.inputs(of: package, in: folder.path).keys) == ["Package.swift", "Kit.swift"])
    }

    @Test func `a binary target is a folder, a file, or elsewhere`() throws {
        let folder = try TemporaryFolder()
        for file in ["Package.swift", "Binaries/a.zip", "Binaries/b.artifactbundle/info.json"] {
            _ = try folder.write(file, to: file)
        }
        let package = PackageDescription(
            name: "kit",
            modules: [
                Self.module("A", "Binaries/a.zip", .binary), Self.module("B", "Binaries/b.artifactbundle", .binary),
                Self.module("C", "remote/archive/c.zip", .binary),
            ])
        #expect(
            Set(try BuiltProducts.inputs(of: package, in: folder.path).keys) == [
                "Package.swift", "Binaries/a.zip", "Binaries/b.artifactbundle/info.json",
            ])
    }
}

/// Real builds; see `SamplePackageTests`.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct SkippedBuildTests {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = try SampleRun.copy("Mixed", into: folder)
    }

    private func request(_ number: Int, tree: String? = "t1", skipsBuild: Bool = false) -> RunRequest {
        RunRequest(
            package: TestedPackage(
                root: root, project: "sample",
                revision: Revision(commit: "c", tree: tree, branch: nil, isDirty: tree == nil)),
            skipsBuild: skipsBuild, scratchPath: "\(folder.path)/scratch",
            runDirectory: "\(folder.path)/runs/\(number)", cacheDirectory: "\(folder.path)/cache",
            runID: SampleRuns.id(number), startedAt: SampleRuns.moment, arguments: ["run"], kanmonVersion: "test",
            parentEnvironment: ProcessInfo.processInfo.environment)
    }

    private func refusal(_ request: RunRequest) async throws -> String? {
        do throws(RunnerError) {
            _ = try await TestRunner().run(request) { _ in }
        } catch {
            guard case .productsUnusable(let path, let reason) = error else { throw error }
            #expect(path == "\(folder.path)/scratch")
            #expect(!FileManager.default.fileExists(atPath: request.runDirectory))
            return reason
        }
        return nil
    }

    @Test func `what was built for a run elsewhere is taken, as long as it is of this tree`() async throws {
        #expect(try await refusal(request(1, skipsBuild: true)) == "there is no record of 'kanmon build' there")
        let report = try await TestRunner().build(request(2)) { _ in }
        #expect(report.isBuilt)
        #expect(report.scratchPath == "\(folder.path)/scratch")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/runs/2"))

        let manifest = try await TestRunner().run(request(3, skipsBuild: true)) { _ in }.manifest()
        #expect(
            manifest.steps.map(\.kind) == [
                .list, .list, .test, .test, .demangle,
            ])
        #expect(manifest.gaps == [])
        #expect(manifest.notes.map(\.code) == [.buildSkipped])
        let run = try TestRun.read(from: RunDirectory(path: "\(folder.path)/runs/3"))
        #expect(run.gaps == [])
        #expect(run.outcomes.total == 6)

        let other = try await refusal(request(4, tree: "t2", skipsBuild: true))
        #expect(other == "they were built of the tree t1, this is t2")
        let unknown = try await refusal(request(5, tree: nil, skipsBuild: true))
        #expect(
            unknown == "the files here are not exactly those of a commit, so products cannot be assigned to it")
        // Git may ignore it, the compiler does not.
        let source = URL(filePath: "\(root)/Sources/Greeting/Generated.swift")
        try Data("let generated = 1\n".utf8).write(to: source)
        let generated = try await refusal(request(6, skipsBuild: true))
        #expect(generated == "Sources/Greeting/Generated.swift was not there")

        // Whoever builds into the folder makes other products of it.
        _ = try await TestRunner().run(request(7)) { _ in }
        #expect(try await refusal(request(8, skipsBuild: true)) == "there is no record of 'kanmon build' there")
    }
}
