import Foundation
import Glibc
import RunModel
import Testing

@testable import Repository

@Suite struct ShadowTreeTests {
    @Test func `a tree is laid out exactly and the user's files stay as they were`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("two\n", to: "work/Sources/b.txt")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        try sandbox.write("staged\n", to: "work/a.txt")
        try await sandbox.git("add", "--all")
        try sandbox.write("unstaged\n", to: "work/a.txt")
        try sandbox.write("untracked\n", to: "work/c.txt")
        try await sandbox.git("stash", "push", "--quiet", "--include-untracked")
        try await sandbox.git("stash", "apply", "--quiet", "--index")
        let before = try sandbox.fingerprint()

        let laid = try await sandbox.materialize()
        #expect(laid.path == sandbox.path("work/.git/kanmon/tree/work"))
        #expect(laid.remarks == [])
        #expect(try sandbox.shadowFiles() == ["a.txt": "one\n", "Sources/b.txt": "two\n"])
        _ = try await sandbox.materialize("HEAD~1")
        #expect(try sandbox.shadowFiles() == ["a.txt": "one\n"])
        #expect(try sandbox.fingerprint() == before)
    }

    @Test func `files that did not change keep their time`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("b\n", to: "work/b.txt")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        _ = try await sandbox.materialize("HEAD~1")
        let first = try sandbox.fingerprint("work/.git/kanmon/tree/work")
        _ = try await sandbox.materialize("HEAD")
        let second = try sandbox.fingerprint("work/.git/kanmon/tree/work")
        #expect(second["a.txt"] == first["a.txt"])
        #expect(second.keys.sorted() == ["a.txt", "b.txt"])
    }

    @Test func `a file that changes has another second, as SwiftPM sees no less`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("two\n", to: "work/a.txt")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        var seconds: [Int] = []
        for commit in ["HEAD", "HEAD~1", "HEAD"] {
            _ = try await sandbox.materialize(commit)
            var status = stat()
            #expect(lstat(sandbox.path("work/.git/kanmon/tree/work/a.txt"), &status) == 0)
            seconds.append(status.st_mtim.tv_sec)
        }
        #expect(seconds[0] < seconds[1] && seconds[1] < seconds[2])
    }

    @Test func `what a test run left behind is gone`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("*.swift\n", to: "work/.git/info/exclude")
        _ = try await sandbox.materialize()
        let tree = "work/.git/kanmon/tree/work"
        try sandbox.write("ignored", to: "\(tree)/ignored.swift")
        try sandbox.write("untracked", to: "\(tree)/Sources/new.txt")
        try await sandbox.makeRepository("\(tree)/nested")
        try sandbox.makeFolder("\(tree)/empty")
        try sandbox.write("CHANGED", to: "\(tree)/a.txt")
        _ = try await sandbox.materialize()
        #expect(try sandbox.shadowFiles() == ["a.txt": "one\n"])
        #expect(!sandbox.exists("\(tree)/empty"))
    }

    @Test func `a file becomes a folder, a folder a link`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("x\n", to: "work/dir/file")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        _ = try await sandbox.materialize()
        try await sandbox.git("rm", "--quiet", "-r", "a.txt", "dir")
        try sandbox.write("y\n", to: "work/a.txt/below")
        symlink("/etc", sandbox.path("work/dir"))
        try await sandbox.git("add", "--all")
        try await sandbox.commit("third")
        _ = try await sandbox.materialize()
        #expect(try sandbox.read("work/.git/kanmon/tree/work/a.txt/below") == "y\n")
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: sandbox.path("work/.git/kanmon/tree/work/dir"))
        #expect(target == "/etc")
        _ = try await sandbox.materialize("HEAD~1")
        #expect(try sandbox.shadowFiles() == ["a.txt": "one\n", "dir/file": "x\n"])
    }

    @Test func `names of all kinds are laid out to the byte`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let names: [[UInt8]] =
            ["-rf", "a\nb", "\"quoted\"", "tab\there", "生/👨‍👩‍👧.swift", ":(attr:x)", "a\\b", "\u{202E}x", " "].map {
                Array($0.utf8)
            }
            + [[0x66, 0xFF, 0xFE]]
        let blob = try await sandbox.git("rev-parse", "HEAD:a.txt")
        let entries = names.reduce(into: [UInt8]()) { list, name in list += Array("100644 \(blob)\t".utf8) + name + [0]
        }
        #expect(try await sandbox.run(["update-index", "-z", "--index-info"], input: entries).status == 0)
        let tree = try await sandbox.repository().stagedTree().tree
        let shadow = try await sandbox.openShadow()
        _ = try await shadow.materialize(tree)
        let listed = try await sandbox.run(["ls-files", "-z", "--others"], in: "work/.git/kanmon/tree/work")
        #expect(listed.status != 0, "the shadow tree is no repository of its own")
        for name in names {
            let path = (Array(shadow.path.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
            #expect(access(path, R_OK) == 0, "\(GitName(bytes: name))")
        }
    }

    @Test(arguments: [
        ["core.sparseCheckout", "true"], ["core.ignoreStat", "true"], ["status.showUntrackedFiles", "no"],
        ["core.checkStat", "minimal"], ["core.fileMode", "false"], ["core.splitIndex", "true"],
        ["core.untrackedCache", "true"], ["clean.requireForce", "true"], ["core.bare", "true"],
    ])
    func `odd settings do not change what is laid out`(setting: [String]) async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("x\n", to: "work/dir/hidden.txt")
        try sandbox.write("dir export-ignore\n", to: "work/.gitattributes")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        let tree = try await sandbox.object("HEAD^{tree}")
        try sandbox.write("/a.txt\n", to: "work/.git/info/sparse-checkout")
        let repository = try await sandbox.repository()
        try await sandbox.git("config", setting[0], setting[1])
        let expected = ["a.txt": "one\n", "dir/hidden.txt": "x\n", ".gitattributes": "dir export-ignore\n"]
        for _ in 0..<2 {
            let shadow = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
            _ = try await shadow.materialize(tree)
            #expect(try sandbox.shadowFiles() == expected)
            try sandbox.write("CHANGED", to: "work/.git/kanmon/tree/work/dir/hidden.txt")
            try sandbox.write("new", to: "work/.git/kanmon/tree/work/new.txt")
        }
    }

    @Test func `line ends are those of the user's checkout, also where the repository breaks its own rule`()
        async throws
    {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("x\r\ny\r\n", to: "work/dos.txt")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        try sandbox.write("*.txt text eol=lf\na.txt eol=crlf\n", to: "work/.gitattributes")
        try await sandbox.git("add", ".gitattributes")
        try await sandbox.commit("third")
        _ = try await sandbox.materialize()
        let files = try sandbox.shadowFiles()
        #expect(files["dos.txt"] == "x\r\ny\r\n")
        #expect(files["a.txt"] == "one\r\n")
    }

    @Test func `a file that stays the same is laid out anew when attributes or settings of today want it otherwise`()
        async throws
    {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let file = "work/.git/kanmon/tree/work/a.txt"
        _ = try await sandbox.materialize()
        #expect(try sandbox.read(file) == "one\n")
        try sandbox.write("*.txt text eol=crlf\n", to: "work/.gitattributes")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        _ = try await sandbox.materialize()
        #expect(try sandbox.read(file) == "one\r\n")
        _ = try await sandbox.materialize("HEAD~1")
        #expect(try sandbox.read(file) == "one\n")
        try await sandbox.git("config", "filter.loud.smudge", "tr a-z A-Z")
        try await sandbox.git("config", "filter.loud.clean", "tr A-Z a-z")
        try sandbox.write("*.txt filter=loud\n", to: "work/.git/info/attributes")
        _ = try await sandbox.materialize("HEAD~1")
        #expect(try sandbox.read(file) == "ONE\n")
        // And once they are as they were, nothing is written again.
        let before = try sandbox.fingerprint("work/.git/kanmon/tree/work")
        _ = try await sandbox.materialize("HEAD~1")
        #expect(try sandbox.fingerprint("work/.git/kanmon/tree/work") == before)
    }

    @Test func `checkout filters run as for the user`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("*.up filter=up\n", to: "work/.gitattributes")
        try sandbox.write("text\n", to: "work/x.up")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        try await sandbox.git("config", "filter.up.smudge", "tr a-z A-Z")
        try await sandbox.git("config", "filter.up.clean", "tr A-Z a-z")
        _ = try await sandbox.materialize()
        #expect(try sandbox.shadowFiles()["x.up"] == "TEXT\n")
    }

    @Test func `a filter that must run and fails is an error`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("*.up filter=up\n", to: "work/.gitattributes")
        try sandbox.write("text\n", to: "work/x.up")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        try await sandbox.git("config", "filter.up.smudge", "false")
        try await sandbox.git("config", "filter.up.required", "true")
        await #expect(throws: ShadowTreeError.self) { _ = try await sandbox.materialize() }
    }

    @Test func `a pointer of Git LFS is remarked`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try sandbox.write("*.bin filter=lfs -text\n", to: "work/.gitattributes")
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
        try sandbox.write(pointer, to: "work/big.bin")
        try sandbox.write("content", to: "work/small.bin")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("second")
        let laid = try await sandbox.materialize()
        #expect(laid.remarks == [.pointerFile(GitName("big.bin"))])
        #expect(laid.notes.map(\.code) == [.lfsPointer])
        // In the work tree of the user as well.
        #expect(try await sandbox.repository().notesOfPointers() == laid.notes)
        try sandbox.makeFolder("work/Sources")
        #expect(try await sandbox.repository("work/Sources").notesOfPointers() == laid.notes)
    }

    @Test func `a submodule that is here is laid out, its old files kept, and its own files left alone`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.makeRepository("dependency")
        try sandbox.write("tracked\n", to: "work/Dep/file")
        try await sandbox.git("add", "--all")
        try await sandbox.commit("an ordinary folder")
        try await sandbox.git("rm", "--quiet", "-r", "Dep")
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("dependency"), "Dep")
        try await sandbox.commit("a submodule")
        try await sandbox.git("config", "submodule.recurse", "true")
        try sandbox.write("mine\n", to: "work/Dep/a.txt")
        let before = try sandbox.fingerprint()

        _ = try await sandbox.materialize("HEAD~1")
        try sandbox.write("leftover", to: "work/.git/kanmon/tree/work/Dep/leftover.swift")
        var times: Set<Date> = []
        for _ in 0..<2 {
            let laid = try await sandbox.materialize()
            #expect(laid.remarks == [])
            #expect(try sandbox.shadowFiles().keys.sorted() == [".gitmodules", "Dep/a.txt", "a.txt"])
            #expect(try sandbox.shadowFiles()["Dep/a.txt"] == "one\n")
            let file = sandbox.path("work/.git/kanmon/tree/work/Dep/a.txt")
            times.insert(try #require(FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date))
            try sandbox.write("leftover", to: "work/.git/kanmon/tree/work/Dep/leftover.swift")
        }
        #expect(times.count == 1)
        #expect(try sandbox.fingerprint() == before)
    }

    @Test func `a submodule that is not here, or has not the commit, is a gap`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.makeRepository("dependency")
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("dependency"), "Dep")
        try await sandbox.commit("a submodule")
        try await sandbox.git("clone", "--quiet", sandbox.path("work"), sandbox.path("clone"))
        let repository = try await sandbox.repository("clone")
        let shadow = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
        let tree = try await sandbox.object("HEAD^{tree}", in: "clone")
        let laid = try await shadow.materialize(tree)
        #expect(laid.remarks == [.submoduleNotMaterialized(GitName("Dep"))])
        #expect(laid.gaps == [Gap(.submoduleMissing, subject: "Dep", detail: "its commit is not in a repository here")])
        #expect(laid.notes == [])

        let unknown = String(repeating: "1", count: 40)
        try await sandbox.git("update-index", "--cacheinfo", "160000,\(unknown),Dep")
        try await sandbox.commit("a commit that nobody has")
        #expect(try await sandbox.materialize().remarks == [.submoduleNotMaterialized(GitName("Dep"))])
    }

    @Test func `a submodule of a submodule is laid out within it`() async throws {
        let sandbox = try Sandbox()
        for name in ["inner", "middle", "work"] { try await sandbox.makeRepository(name) }
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("inner"), "In [n]er", in: "middle")
        try await sandbox.commit("inner", in: "middle")
        try await sandbox.git("submodule", "--quiet", "add", sandbox.path("middle"), "Vendor/Middle")
        try await sandbox.git("submodule", "--quiet", "update", "--init", "--recursive")
        try await sandbox.commit("middle")
        let before = try sandbox.fingerprint()
        #expect(try await sandbox.materialize().remarks == [])
        #expect(try sandbox.shadowFiles()["Vendor/Middle/In [n]er/a.txt"] == "one\n")
        #expect(try sandbox.fingerprint() == before)
    }

    @Test func `the index of a killed run does no harm`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        _ = try await sandbox.materialize()
        try sandbox.write("", to: "work/.git/kanmon/index.lock")
        let index = try Data(contentsOf: URL(fileURLWithPath: sandbox.path("work/.git/kanmon/index")))
        for length in [0, 1, index.count / 2, index.count - 1] {
            try index.prefix(length).write(to: URL(fileURLWithPath: sandbox.path("work/.git/kanmon/index")))
            _ = try await sandbox.materialize()
            #expect(try sandbox.shadowFiles() == ["a.txt": "one\n"])
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `git that a killed run left at work in the tree is ended before the tree is laid out`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        let tree = try await sandbox.materialize().path
        #expect(try sandbox.read("work/.git/kanmon/lock") == "")
        let git = Git(environment: GitEnvironment(sandbox.variables))
        let left = Task {
            try await git.run(
                "linger",
                options: [
                    "-c", "alias.linger=!exec sleep 300 >/dev/null 2>&1",
                    "--git-dir=\(sandbox.path("work/.git"))", "--work-tree=\(tree)",
                ])
        }
        while LeftoverGit.processes(in: tree).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        // Its lock still bears the name of whoever was killed.
        try sandbox.write("somebody", to: "work/.git/kanmon/lock")
        _ = try await sandbox.materialize()
        #expect(LeftoverGit.processes(in: tree) == [])
        await #expect(throws: GitError.signaled(command: "linger", signal: SIGKILL)) { _ = try await left.value }
    }

    @Test func `an object that is missing is an error`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        let shadow = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
        let tree = try #require(ObjectID(String(repeating: "1", count: 40)))
        await #expect(throws: ShadowTreeError.self) { _ = try await shadow.materialize(tree) }
    }

    @Test func `one run has it at a time, and the other learns who`() async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        do {
            let first = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
            await #expect(throws: ShadowTreeError.busy(Sandbox.owner)) {
                _ = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
            }
            first.close()
        }
        let second = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
        // Not used any more, but held until the end of its scope.
        _ = second.path
        var waited: [LockOwner?] = []
        await #expect(throws: ShadowTreeError.busy(Sandbox.owner)) {
            _ = try await ShadowTree.open(
                in: repository,
                owner: Sandbox.owner,
                timeout: .seconds(2),
                onWait: { waited.append($0) }
            )
        }
        #expect(waited == [Sandbox.owner])
    }

    @Test(arguments: ["kanmon", "kanmon/tree", "kanmon/tree/work"])
    func `a link at its path is refused`(name: String) async throws {
        let sandbox = try Sandbox()
        let repository = try await sandbox.makeRepository()
        try sandbox.write("precious", to: "home/file")
        try sandbox.makeFolder((("work/.git/\(name)") as NSString).deletingLastPathComponent)
        symlink(sandbox.path("home"), sandbox.path("work/.git/\(name)"))
        await #expect(throws: ShadowTreeError.notAFolder(path: sandbox.path("work/.git/\(name)"))) {
            _ = try await ShadowTree.open(in: repository, owner: Sandbox.owner)
        }
        #expect(try sandbox.read("home/file") == "precious")
    }

    @Test func `linked work trees and bare repositories have one too`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.makeRepository()
        try await sandbox.git("worktree", "add", "--quiet", sandbox.path("linked"))
        let tree = try await sandbox.object("HEAD^{tree}")
        let linked = try await sandbox.openShadow("linked")
        #expect(try await linked.materialize(tree).path == sandbox.path("work/.git/kanmon/tree/work"))
        try await sandbox.git("clone", "--quiet", "--bare", sandbox.path("work"), sandbox.path("bare"))
        let bare = try await sandbox.openShadow("bare")
        #expect(try await bare.materialize(tree).path == sandbox.path("bare/kanmon/tree/bare"))
        #expect(try sandbox.read("bare/kanmon/tree/bare/a.txt") == "one\n")
        // As SwiftPM calls a package by its folder.
        try await sandbox.git("clone", "--quiet", "--bare", sandbox.path("work"), sandbox.path("Kit.git"))
        let server = try await sandbox.openShadow("Kit.git")
        #expect(try await server.materialize(tree).path == sandbox.path("Kit.git/kanmon/tree/Kit"))
    }
}
