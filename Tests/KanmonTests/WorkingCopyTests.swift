import Foundation
import TestRunning
import TestSupport
import Testing

/// Runs whose files, or whose packages, could be taken for others.
@Suite(.slow, .timeLimit(.minutes(20))) struct WorkingCopyTests {
    private struct Report: Decodable {
        struct Run: Decodable {
            struct Revision: Decodable { let exact: Bool }
            let revision: Revision
        }
        struct Note: Decodable { let code: String }
        let run: Run
        let notes: [Note]
    }

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func copy(_ package: String, to name: String) throws {
        let source = Checkout.top.appending(path: "Tests/Packages/\(package)").path(percentEncoded: false)
        let target = "\(folder.work)/\(name)"
        if name.isEmpty { try FileManager.default.removeItem(atPath: folder.work) }
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    private func commit() async throws {
        try await folder.git("init", "--quiet", "--initial-branch", "main")
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", "packages")
    }

    /// Whether another process has a file open.
    private func isOpen(_ path: String) -> Bool {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).contains { process in
            guard let number = Int32(process), number != getpid() else { return false }
            let open = (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
            return open.contains { (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")) == path }
        }
    }

    @Test func `what is edited while a run waits for another one is not the commit`() async throws {
        try copy("Mixed", to: "")
        try await commit()
        let lock = TestRunner.scratchPath(cacheHome: TestFolder.sharedCache, packageRoot: folder.work) + ".lock"
        try FileManager.default.createDirectory(
            atPath: (lock as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let source = "\(folder.work)/Sources/Greeting/Greeting.swift"
        let ended = try await Program(folder: folder).run(["run", "--json", "--exit-zero"]) { _ in
            for _ in 0..<3000 where !isOpen(lock) { try await Task.sleep(for: .milliseconds(20)) }
            let text = try String(contentsOfFile: source, encoding: .utf8)
            try Data((text + "// Another one.\n").utf8).write(to: URL(filePath: source))
            flock(descriptor, LOCK_UN)
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(ended.output.utf8))
        #expect(!report.run.revision.exact)
        #expect(report.notes.contains { $0.code == "tree-changed" })
    }

    @Test func `a package is not answered for by another one with the same project name`() async throws {
        for (package, name) in [("Mixed", "A"), ("Failing", "B")] {
            try copy(package, to: name)
            try folder.write(
                "project: acme/platform\ncoverage:\n  modules:\n    default: {line: 0}\n",
                to: "work/\(name)/.kanmon.yml")
        }
        try await commit()
        func status(_ name: String) async throws -> Int32 {
            try await Program(folder: folder).run(["run", "--commit", "HEAD", "--package-path", name]).status
        }
        #expect(try await status("A") == 0)
        #expect(try await status("B") == 1)
        #expect(try await status("A") == 0)
    }
}
