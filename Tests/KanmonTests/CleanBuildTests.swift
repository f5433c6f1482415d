import Foundation
import TestSupport
import Testing

/// `kanmon run --clean`, with a source that looks at the build folder: while a clean build is made, it is another one.
@Suite(.slow) struct CleanBuildTests {
    private let program: Program
    private let package: String
    private let builds: String

    init() throws {
        let folder = try TestFolder()
        package = "\(folder.work)/Kit"
        builds = "\(folder.work)/cache/kanmon/build"
        try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Kit", targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])
            """, to: "work/Kit/Package.swift")
        try folder.write("int answer(void);\n", to: "work/Kit/Sources/Kit/include/Kit.h")
        try folder.write(
            """
            import Kit
            import Testing
            @Test func answers() { #expect(answer() > 40) }
            """, to: "work/Kit/Tests/KitTests/KitTests.swift")
        program = Program(folder: folder, variables: ["XDG_CACHE_HOME": "\(folder.work)/cache"])
        try write("int answer(void) { return 42; }")
    }

    private func write(_ source: String) throws {
        try program.folder.write("#include \"Kit.h\"\n\(source)\n", to: "work/Kit/Sources/Kit/Kit.c")
    }

    @Test
    func `code that no clean build makes leaves the run undecided, and doctor tells of it until one finds nothing`()
        async throws
    {
        #expect(try await program.run(["run", "--package-path", package]).status == 0)
        // Beside the build folder lie its lock, and the mark of when all of them were last measured.
        let scratch = try FileManager.default.contentsOfDirectory(atPath: builds)
            .first { FileManager.default.fileExists(atPath: "\(builds)/\($0).lock") }
        let previous = "\(builds)/\(try #require(scratch))/kanmon-previous/Kit.build/Kit.c.o"
        try write(
            """
            #if __has_include("\(previous)")
            int answer(void) { return 43; }
            #else
            int answer(void) { return 41; }
            #endif
            """)
        #expect(try await program.run(["run", "--package-path", package]).status == 0)

        let stale = try await program.run(["run", "--package-path", package, "--clean"])
        #expect(stale.status == 4, "\(stale.output)\(stale.messages)")
        #expect(stale.output.contains("stale-build (Kit): the code of answer was not what a clean build makes"))
        let told = try await program.run(["doctor", "--package-path", package])
        #expect(told.output.contains("an incremental build of \(package) was not what a clean one makes: Kit: "))

        try write("int answer(void) { return 44; }")
        #expect(try await program.run(["run", "--package-path", package]).status == 0)
        let clean = try await program.run(["run", "--package-path", package, "--clean"])
        #expect(clean.status == 0, "\(clean.output)\(clean.messages)")
        let silent = try await program.run(["doctor", "--package-path", package])
        #expect(silent.output.contains("no clean build differed from an incremental one"))
        #expect(silent.output.contains("cache: 1 build folder of "))

        let listed = try await program.run(["cache", "list"])
        #expect(listed.output.contains("  \(package)  \(scratch ?? "")\n"), "\(listed.output)")
        #expect(listed.output.contains(#/ MiB  (now|[0-9]+ min ago) /#), "\(listed.output)")
        let kept = try await program.run(["cache", "prune", "--size", "1"])
        #expect(kept.output == "0 build folders removed, 0 MiB\n")
        let removed = try await program.run(["cache", "prune", "--all"])
        #expect(removed.output.hasPrefix("\(package), "), "\(removed.output)")
        #expect(!FileManager.default.fileExists(atPath: "\(builds)/\(scratch ?? "")"))
    }
}
