import Foundation
import TestSupport
import Testing

@testable import Application
@testable import kanmon

@Suite struct BuildIdentityTests {
    @Test func `an archive of a commit knows its commit, a clone does not`() {
        let archived = BuildIdentity(archived: "0123456789abcdef0123456789abcdef01234567 2026-11-25")
        #expect(archived.commit == "0123456789abcdef0123456789abcdef01234567")
        #expect(archived.commitDate == "2026-11-25")
        #expect(archived.text().contains("commit    0123456789abcdef0123456789abcdef01234567 of 2026-11-25\n"))
        #expect(BuildIdentity(archived: "$Format:%H %cs$").commit == nil)
        #expect(BuildIdentity(archived: "$Format:%H %cs$").text().contains("commit    none: built in a clone\n"))
    }

    @Test func `git writes the commit into an archive of the sources`() async throws {
        let folder = try TestFolder()
        let name = "Sources/kanmon/BuildIdentity.swift"
        for file in [name, ".gitattributes"] {
            let text = try String(contentsOf: Checkout.top.appending(path: file), encoding: .utf8)
            try folder.write(text, to: "work/\(file)")
        }
        try await folder.git("init", "--quiet")
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--message", "sources")
        let commit = try await folder.git("rev-parse", "HEAD")

        try await folder.git("archive", "--output", "sources.tar", "HEAD", name)

        let archive = try Data(contentsOf: URL(filePath: "\(folder.work)/sources.tar"))
        #expect(archive.range(of: Data("archived = \"\(commit) 20".utf8)) != nil)
        #expect(archive.range(of: Data("$Format".utf8)) == nil)
    }

    @Test func `libraries say their versions`() {
        let identity = BuildIdentity()
        for (library, version) in identity.libraries {
            #expect(version.wholeMatch(of: /\d+\.\d+(\.\d+)*/) != nil, "\(library)")
        }
        #expect(identity.compiler.hasPrefix("Swift 6."))
    }

    @Test func `the command says the same in words and as JSON`() async throws {
        let program = Program(folder: try TestFolder())
        let words = try await program.run(["version"])
        #expect(words.output == BuildIdentity().text() + "\n")
        let json = try await program.run(["version", "--json"])
        let values = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(values["version"] as? String == Release.version)
        #expect(values["libraries"] as? [String: String] == BuildIdentity().libraries)
    }
}
