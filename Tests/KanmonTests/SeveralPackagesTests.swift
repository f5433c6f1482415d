import TestSupport
import Testing

/// `kanmon run --all-packages`, as a process.
@Suite struct SeveralPackagesTests {
    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        program = Program(folder: folder)
    }

    @Test func `each package is judged, whatever the others come to, and the gravest status counts`() async throws {
        let manifest = "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"Kit\")\n"
        try folder.write(manifest, to: "work/all/A/Package.swift")
        try folder.write("version: 7\n", to: "work/all/A/.kanmon.yml")
        try folder.write(manifest + "let\n", to: "work/all/Below/B/Package.swift")
        let all = "\(folder.work)/all"
        let run = try await program.run(["run", "--all-packages", "--package-path", all, "--out", "\(all)/out"])
        #expect(run.status == 78)
        // Verdicts do not count then; that a package has none does.
        let zero = try await program.run(["run", "--all-packages", "--exit-zero", "--package-path", all])
        #expect(zero.status == 78)
        let told = run.messages.split(separator: "\n").filter { $0.hasPrefix("kanmon: A") || $0.hasPrefix("kanmon: B") }
        #expect(told.first == "kanmon: A")
        #expect(told.dropFirst().first == "kanmon: Below/B")
        #expect(told.suffix(2).first == "kanmon: A: the configuration is wrong")
        #expect(told.last?.hasPrefix("kanmon: Below/B: ") == true)
        let json = try await program.run(["run", "--all-packages", "--package-path", all, "--json"])
        #expect(json.status == 64)
        let none = try await program.run(["run", "--all-packages", "--package-path", "\(all)/A/none"])
        #expect(none.status == 64)
    }
}
