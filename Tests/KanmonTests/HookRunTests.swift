import Foundation
import Gate
import RunModel
import Storage
import TestSupport
import Testing

/// What a hook makes of a push, as far as it goes without a test: settings that nobody can use end it where it judges.
@Suite struct HookRunTests {
    private static let manifest = "// swift-tools-version: 6.0\n"
    private static let unusable = "coverage:\n  moduls: {}\n"
    private static let refusal =
        "kanmon: .kanmon.yml:2:3: unknown key 'moduls' in coverage\nTry: write 'modules'\n"
    private static let none = String(repeating: "0", count: 40)

    private let folder: TestFolder

    init() async throws {
        folder = try TestFolder()
        try await folder.git("init", "--quiet", "--initial-branch", "main")
    }

    /// A commit of these files and no others, on a branch with no history if one is named.
    private func commit(_ files: [String: String], orphan: String? = nil) async throws -> String {
        if let orphan { try await folder.git("checkout", "--quiet", "--orphan", orphan) }
        try await folder.git("rm", "-r", "--quiet", "--force", "--ignore-unmatch", ".")
        for (name, text) in files { try folder.write(text, to: "work/\(name)") }
        try await folder.git("add", "--all")
        try await folder.git("commit", "--quiet", "--allow-empty", "--message", "m")
        return try await folder.git("rev-parse", "HEAD")
    }

    private func hook(
        _ words: String..., refs: String = "", in directory: String? = nil
    ) async throws -> Program.Outcome {
        let program = Program(
            folder: folder, variables: ["REFS": refs, "XDG_CACHE_HOME": "\(folder.path)/cache"],
            wrapper: ["sh", "-c", "printf '%s' \"$REFS\" | \"$0\" \"$@\""])
        return try await program.run(["hook", "run"] + words, in: directory)
    }

    private func prePush(
        _ commit: String, to name: String, over old: String = Self.none
    ) async throws -> Program.Outcome {
        try await hook("pre-push", "origin", "url", refs: "\(name) \(commit) \(name) \(old)\n")
    }

    /// What is said of a commit that has nothing to do with the package.
    private func passedBy(_ commit: String, for name: String) -> Program.Outcome {
        Program.Outcome(
            status: 0, output: "",
            messages: "kanmon: \(commit.prefix(12)) for \(name) has no package, "
                + "and neither have the commits that it replaces and comes from: nothing to judge\n")
    }

    private func judged(_ commit: String, for name: String) -> Program.Outcome {
        Program.Outcome(
            status: 78, output: "", messages: "kanmon: judging \(commit.prefix(12)) for \(name)\n" + Self.refusal)
    }

    @Test func `where git names no ref what is checked out is judged, unless the remote has it`() async throws {
        let head = try await commit(["Package.swift": Self.manifest, ".kanmon.yml": Self.unusable])
        let told = "kanmon: git named no ref: everything is up to date, or another hook has read the list; "
        #expect(
            try await hook("pre-push", "origin", "url")
                == Program.Outcome(
                    status: 78, output: "",
                    messages: told + "judging the commit that is checked out, which the remote does not have\n"
                        + judged(head, for: "refs/heads/main").messages))
        try await folder.git("update-ref", "refs/remotes/origin/other", "HEAD")
        #expect(
            try await hook("pre-push", "origin", "url")
                == Program.Outcome(
                    status: 0, output: "",
                    messages: told
                        + "the remote already has the commit that is checked out, so there is nothing to judge\n"))
    }

    @Test func `what never had the package is passed by`() async throws {
        let old = try await commit(["README.md": "before the package\n"])
        let main = try await commit(["Package.swift": Self.manifest])
        #expect(try await prePush(old, to: "refs/tags/v0") == passedBy(old, for: "refs/tags/v0"))

        try await folder.git("notes", "add", "--message", "n", main)
        let notes = try await folder.git("rev-parse", "refs/notes/commits")
        #expect(try await prePush(notes, to: "refs/notes/commits") == passedBy(notes, for: "refs/notes/commits"))

        let pages = try await commit(["index.html": "one\n"], orphan: "gh-pages")
        let more = try await commit(["index.html": "two\n"])
        #expect(try await prePush(pages, to: "refs/heads/gh-pages") == passedBy(pages, for: "refs/heads/gh-pages"))
        #expect(
            try await prePush(more, to: "refs/heads/gh-pages", over: pages)
                == passedBy(more, for: "refs/heads/gh-pages"))
    }

    @Test func `a package that is removed, or should be there, is judged`() async throws {
        let main = try await commit(["Package.swift": Self.manifest])
        try await folder.git("checkout", "--quiet", "-b", "topic")
        let removed = try await commit([".kanmon.yml": Self.unusable])
        #expect(try await prePush(removed, to: "refs/heads/topic") == judged(removed, for: "refs/heads/topic"))

        let alone = try await commit([".kanmon.yml": Self.unusable], orphan: "alone")
        #expect(
            try await prePush(alone, to: "refs/heads/topic", over: main) == judged(alone, for: "refs/heads/topic"))
        // Nobody here knows what it replaces.
        let unknown = String(repeating: "1", count: 40)
        #expect(
            try await prePush(alone, to: "refs/heads/alone", over: unknown) == judged(alone, for: "refs/heads/alone"))
        #expect(try await prePush(alone, to: "refs/heads/main") == judged(alone, for: "refs/heads/main"))
        #expect(try await prePush(alone, to: "refs/heads/alone") == passedBy(alone, for: "refs/heads/alone"))
        // Without a default branch nobody can say what it comes from.
        try await folder.git("branch", "--move", "main", "trunk")
        #expect(try await prePush(alone, to: "refs/heads/alone") == judged(alone, for: "refs/heads/alone"))
    }

    @Test(.slow, arguments: [(["-v"], [:]), ([], ["KANMON_VERBOSE": "1"]), ([], ["KANMON_VERBOSE": "0"])])
    func `a hook names the variables that the tests do not get, if it is asked to`(
        words: [String], variables: [String: String]
    ) async throws {
        // As far as that there is no package to be tested.
        try folder.write("empty\n", to: "work/notes.txt")
        try await folder.git("add", "--all")
        let program = Program(folder: folder, variables: variables.merging(["LICENSE_KEY": "k"]) { $1 })
        let outcome = try await program.run(["hook", "run", "pre-commit"] + words)
        let isAsked = variables["KANMON_VERBOSE"] != "0"
        // Git's variables of the test come before it.
        let lines = outcome.messages.split(separator: "\n").filter {
            $0.hasPrefix("kanmon: not passed to the tests: ")
                && $0.hasSuffix(" LICENSE_KEY; name what they need under run.environment")
        }
        #expect(lines.count == (isAsked ? 1 : 0))
        #expect(outcome.messages.contains("has no Package.swift"))
    }

    @Test func `after a commit nobody waits long for another writer, and settings that nobody can use are no fault`()
        async throws
    {
        let made = try await commit(["Package.swift": Self.manifest, ".kanmon.yml": "project: acme/kit\n"])
        var run = SampleRuns.passing()
        run.project = "acme/kit"
        run.revision?.commit = nil
        run.revision?.tree = try await folder.git("rev-parse", "HEAD^{tree}")
        run.revision?.attempt = .staged
        try FileManager.default.createDirectory(
            atPath: folder.home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let store = try RunStore(path: "\(folder.home)/kanmon.sqlite")
        _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
        let silent = Program.Outcome(status: 0, output: "", messages: "")
        let descriptor = open("\(folder.home)/kanmon.sqlite.lock", O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(try await hook("post-commit") == silent)
        #expect(try store.summary(of: run.id)?.revision?.shownCommit == nil)
        flock(descriptor, LOCK_UN)
        #expect(try await hook("post-commit") == silent)
        #expect(try store.summary(of: run.id)?.revision?.shownCommit == made)
        _ = try await commit(["Package.swift": Self.manifest, ".kanmon.yml": Self.unusable])
        #expect(try await hook("post-commit") == silent)
    }

    @Test func `a server passes by what never had the package, and nothing else`() async throws {
        _ = try await commit(["Package.swift": Self.manifest])
        try await folder.git("checkout", "--quiet", "-b", "topic")
        let removed = try await commit(["README.md": "without\n"])
        let pages = try await commit(["index.html": "one\n"], orphan: "gh-pages")
        let server = "\(folder.path)/server.git"
        try await folder.git("checkout", "--quiet", "main")
        try await folder.git("clone", "--quiet", "--bare", ".", server)

        func receive(_ commit: String, _ name: String) async throws -> Program.Outcome {
            try await hook(
                "pre-receive", "--mode", "verify", "--protect", "other release/*",
                refs: "\(Self.none) \(commit) refs/heads/\(name)\n", in: server)
        }
        #expect(try await receive(pages, "release/pages") == passedBy(pages, for: "refs/heads/release/pages"))
        for (commit, name) in [(removed, "other"), (pages, "main"), (removed, "release/1")] {
            #expect(
                try await receive(commit, name)
                    == Program.Outcome(
                        status: 74, output: "",
                        messages: "kanmon: judging \(commit.prefix(12)) for refs/heads/\(name)\n"
                            + "kanmon: there is no store at \(folder.home)/kanmon.sqlite\n"
                            + "Try: name one with kanmon hook install --store\n"))
        }
        // A pipeline can build it only once it is there.
        for name in ["topic", "release", "release/1/fix", "others"] {
            #expect(
                try await receive(removed, name)
                    == Program.Outcome(
                        status: 0, output: "",
                        messages: "kanmon: refs/heads/\(name) needs no verdict here: it is not protected\n"))
        }
    }

    @Test func `a run of another package of the tree does not answer for a push`() async throws {
        // Neither settings nor manifests tell the packages apart.
        let computed = "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: name)\n"
        let commit = try await commit(["A/Package.swift": computed, "B/Package.swift": computed])
        var run = SampleRuns.passing()
        run.revision?.tree = try await folder.git("rev-parse", "HEAD^{tree}")
        run.revision?.folder = "A"
        run.inputs = RunInputs(package: "A", platform: "", checkout: "", environment: "", settings: "")
        try FileManager.default.createDirectory(atPath: folder.home, withIntermediateDirectories: true)
        let store = try RunStore(path: "\(folder.home)/kanmon.sqlite")
        let verdict = try Verdict(judging: run, by: Policy())
        #expect(try store.ingest(run, verdict: verdict, runDirectory: nil) == .stored)
        let server = "\(folder.path)/server.git"
        try await folder.git("clone", "--quiet", "--bare", ".", server)
        for (place, isKnown) in [("A", true), ("B", false)] {
            let outcome = try await hook(
                "pre-receive", "--mode", "verify", "--protect", "**", "--package-path", place,
                refs: "\(Self.none) \(commit) refs/heads/main\n", in: server)
            #expect(outcome.messages.contains("has no complete run in the store") != isKnown, "\(outcome.messages)")
            #expect(isKnown || outcome.status == 4)
        }
    }

    @Test func `who is refused by a run of another commit is led to what it says of the pushed one`() async throws {
        let computed = "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: name)\n"
        let base = try await commit(["Package.swift": computed])
        let server = "\(folder.path)/server.git"
        try await folder.git("clone", "--quiet", "--bare", ".", server)
        let pushed = try await commit(["Package.swift": computed, "README.md": "amended\n"])
        // The objects are there before the refs are, as in a push.
        try await folder.git("push", "--quiet", server, "main:refs/keep/main")
        var run = SampleRuns.failing()
        run.revision?.tree = try await folder.git("rev-parse", "HEAD^{tree}")
        run.inputs = RunInputs(package: "", platform: "", checkout: "", environment: "", settings: "")
        try FileManager.default.createDirectory(atPath: folder.home, withIntermediateDirectories: true)
        let store = try RunStore(path: "\(folder.home)/kanmon.sqlite")
        _ = try store.ingest(run, verdict: try Verdict(judging: run, by: Policy()), runDirectory: nil)
        let refs = "\(base) \(pushed) refs/heads/main\n"
        let cases: [(options: [String], more: String)] = [
            (["--dashboard", "http://d/"], "http://d/runs/\(run.id)?commit=\(pushed)"),
            ([], "run kanmon report \(pushed.prefix(12)) on the machine with the store"),
        ]
        for (options, more) in cases {
            let program = Program(
                folder: folder, variables: ["REFS": refs, "XDG_CACHE_HOME": "\(folder.path)/cache"],
                wrapper: ["sh", "-c", "printf '%s' \"$REFS\" | \"$0\" \"$@\""])
            let words = ["hook", "run", "pre-receive", "--mode", "verify", "--protect", "**"] + options
            let outcome = try await program.run(words, in: server)
            #expect(outcome.status == 1 && outcome.messages.contains("kanmon: more: \(more)\n"), "\(outcome.messages)")
        }
    }

    @Test func `where the default branch is not known every branch is protected`() async throws {
        let commit = try await commit(["Package.swift": Self.manifest])
        let server = "\(folder.path)/server.git"
        try await folder.git("init", "--quiet", "--bare", "--initial-branch", "master", server)
        try await folder.git("push", "--quiet", server, "main:refs/heads/trunk")
        func receive(_ name: String) async throws -> Int32 {
            try await hook(
                "pre-receive", "--mode", "verify", refs: "\(Self.none) \(commit) refs/heads/\(name)\n", in: server
            ).status
        }
        for name in ["trunk", "topic", "master"] { #expect(try await receive(name) == 74) }
        try await folder.git("--git-dir", server, "symbolic-ref", "HEAD", "refs/heads/trunk")
        #expect(try await receive("topic") == 0)
        #expect(try await receive("trunk") == 74)
    }

    @Test func `before the first push the usual names are protected`() async throws {
        let commit = try await commit(["Package.swift": Self.manifest])
        let server = "\(folder.path)/empty.git"
        try await folder.git("init", "--quiet", "--bare", "--initial-branch", "trunk", server)
        // The objects are there before the refs are, as in a push.
        try await folder.git("push", "--quiet", server, "main:refs/keep/main")
        for (name, status) in [("trunk", 74), ("main", 74), ("topic", 0)] {
            let outcome = try await hook(
                "pre-receive", "--mode", "verify", refs: "\(Self.none) \(commit) refs/heads/\(name)\n", in: server)
            #expect(outcome.status == Int32(status), "\(name): \(outcome.messages)")
        }
    }
}
