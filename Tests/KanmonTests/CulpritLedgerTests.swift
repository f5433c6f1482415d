import Foundation
import Gate
import RunModel
import Storage
import TestSupport
import Testing

@testable import Application

/// What searches for culprits have found, kept beside the store.
@Suite struct CulpritLedgerTests {
    private let folder: TestFolder
    private let home: Home

    init() throws {
        folder = try TestFolder()
        home = Home(folder.home, process: folder.process)
    }

    private func culprit(_ good: Character, _ reason: CulpritSearch.Reason? = nil) -> Culprit {
        let commit = String(repeating: good, count: 40)
        return Culprit(
            test: TestID(module: "A", suite: "S", name: "t()"), good: commit, bad: commit,
            suspects: [
                Culprit.Suspect(
                    commit: commit, subject: SampleRuns.hostile, author: "Ana", committedAt: SampleRuns.moment)
            ],
            probability: 0.9993, reason: reason, runs: 9, builds: 5, duration: .milliseconds(2500),
            foundAt: SampleRuns.moment)
    }

    /// What a store has that is made anew.
    private func restored(_ name: String, of project: String) throws -> [Culprit] {
        let store = try RunStore(path: "\(folder.path)/\(name).sqlite")
        try CulpritLedger(home).restore(into: store)
        return try store.culprits(project: project, limit: 9)
    }

    @Test func `what was found outlasts the store, under the name that its project has now`() throws {
        let ledger = CulpritLedger(home)
        try ledger.add(culprit("a"), project: "old")
        try ledger.add(culprit("b", .cutShort), project: "old")
        try ledger.add(culprit("c"), project: "other")
        #expect(try RunStore(path: home.database).culprits(project: "other", limit: 9) == [culprit("c")])
        #expect(try restored("one", of: "old") == [culprit("b", .cutShort), culprit("a")])
        try ProjectNames(home).rename("old", to: "new")
        #expect(try restored("two", of: "new").count == 2)
        #expect(try restored("three", of: "old") == [])

        // A line that was cut, and what a later version may write.
        let path = home.culprits
        try Data(Data(contentsOf: URL(filePath: path)) + Data("{\"project\": 1}\n{\"proj".utf8))
            .write(to: URL(filePath: path))
        try ledger.forget(["old", "new"])
        #expect(try restored("four", of: "new") == [])
        #expect(try restored("five", of: "other") == [culprit("c")])
    }

    @Test func `a project that has the name of another one later has none of its answers`() throws {
        let (ledger, names) = (CulpritLedger(home), ProjectNames(home))
        try ledger.add(culprit("a"), project: "first")
        try ledger.add(culprit("b"), project: "second")
        try names.rename("first", to: "other")
        try ledger.rename("first", to: "other")
        try names.rename("second", to: "first")
        try ledger.rename("second", to: "first")
        #expect(try restored("one", of: "other") == [culprit("a")])
        #expect(try restored("two", of: "first") == [culprit("b")])
        #expect(try restored("three", of: "second") == [])
    }

    @Test func `a home without answers restores none, and a damaged file keeps no store from being made`() throws {
        #expect(try restored("none", of: "old") == [])
        try FileManager.default.createDirectory(atPath: home.culprits, withIntermediateDirectories: true)
        #expect(try restored("unreadable", of: "old") == [])
    }

    @Test func `a file of lines is never larger than what is read of it, and the newest lines stay`() throws {
        let file = LineFile<[String]>(path: "\(folder.path)/lines.jsonl", most: 4, largest: 30)
        // Each takes nine bytes.
        for letter in ["a", "b", "c", "d", "e"] { try file.add([String(repeating: letter, count: 4)]) }
        #expect(try file.all() == [["eeee"], ["dddd"], ["cccc"]])
        try file.add(["f"])
        #expect(try file.all() == [["f"], ["eeee"], ["dddd"]])
        try file.remove { $0 == ["eeee"] }
        try file.add(["g"])
        try file.add(["h"])
        #expect(try file.all() == [["h"], ["g"], ["f"], ["dddd"]])
        try file.add(["i"])
        #expect(try file.all() == [["i"], ["h"], ["g"], ["f"]])
        #expect(throws: Problem.self) { try file.add([String(repeating: "j", count: 30)]) }
        #expect(try file.all() == [["i"], ["h"], ["g"], ["f"]])
    }

    @Test(.enabled(if: geteuid() == 0)) func `what root adds in the home of another user is that user's`() throws {
        let user: uid_t = 65_534
        let parent = "\(folder.path)/service"
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try #require(chown(parent, user, user) == 0)
        try LineFile<[String]>(path: "\(parent)/lines.jsonl", most: 4).add(["a"])
        for name in ["lines.jsonl", "lines.jsonl.lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(parent)/\(name)")
            #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == UInt32(user), "\(name)")
        }
    }

    @Test func `a project that is removed takes what was found with it, under each of its names`() throws {
        let ledger = CulpritLedger(home)
        try ledger.add(culprit("a"), project: "old")
        try ledger.add(culprit("b"), project: "other")
        try ProjectNames(home).rename("old", to: "new")
        try ledger.add(culprit("c"), project: "new")
        try ProjectRemoval("new", of: home).remove(at: Date(timeIntervalSince1970: 1_780_000_000))
        #expect(try RunStore(path: home.database).culprits(project: "new", limit: 9) == [])
        #expect(try restored("again", of: "new") == [])
        #expect(try restored("old", of: "old") == [])
        #expect(try restored("others", of: "other") == [culprit("b")])
    }
}
