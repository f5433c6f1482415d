import Foundation
import Glibc
import TestSupport

@testable import Repository

/// A folder of its own for a test, with git that knows no person and reads no settings of the machine.
final class Sandbox: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: TemporaryFolder
    let variables: [String: String]

    /// Nothing in the background, and no waiting for a disk: these repositories live for a second.
    private static let settings = """
        [init]
            defaultBranch = main
        [protocol "file"]
            allow = always
        [gc]
            auto = 0
        [maintenance]
            auto = false
        [core]
            fsync = none

        """

    init() throws {
        folder = try TemporaryFolder()
        let root = folder.path
        variables = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": root, "GIT_CONFIG_GLOBAL": "\(root)/gitconfig", "GIT_CONFIG_NOSYSTEM": "1",
        ]
        try write(Self.settings, to: "gitconfig")
    }

    var root: String { folder.path }
    var environment: GitEnvironment { GitEnvironment(variables) }
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// A repository with one commit.
    @discardableResult
    func makeRepository(_ name: String = "work") async throws -> GitRepository {
        try makeFolder(name)
        try await git("init", "--quiet", in: name)
        try write("one\n", to: "\(name)/a.txt")
        try await git("add", "--all", in: name)
        try await commit("first", in: name)
        return try await repository(name)
    }

    func repository(
        _ name: String = "work",
        hookVariables: [String: String]? = nil
    ) async throws -> GitRepository {
        let environment = GitEnvironment(hookVariables ?? variables)
        let found = try await GitRepository.discover(
            at: path(name),
            environment: environment,
            inHook: hookVariables != nil
        )
        guard let found else { throw Failure(description: "no repository at \(name)") }
        return found
    }

    func commit(_ message: String, _ arguments: String..., in folder: String = "work") async throws {
        try await git(["commit", "--quiet", "--allow-empty", "--message", message] + arguments, in: folder)
    }

    @discardableResult
    func git(_ arguments: String..., in folder: String = "work") async throws -> String {
        try await git(arguments, in: folder)
    }

    @discardableResult
    func git(_ arguments: [String], in folder: String = "work") async throws -> String {
        let output = try await run(arguments, in: folder)
        guard output.status == 0 else { throw Failure(description: "git \(arguments): \(output.message)") }
        return output.text
    }

    /// Runs git as a user would, hooks and all, with a person only in the variables.
    func run(_ arguments: [String], in folder: String = "work", input: [UInt8] = []) async throws -> GitOutput {
        if ["commit", "push"].contains(arguments[0]) { try awaitClosedPrograms() }
        let person = [
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
        ]
        return try await Git(environment: environment).run(
            arguments[0],
            arguments.dropFirst().map { GitArgument($0) },
            options: ["-C", GitArgument(path(folder))],
            adding: person,
            input: input,
            keepsHooksPath: true
        )
    }

    /// Waits until no program here is open for writing.
    private func awaitClosedPrograms() throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) where access(path(name), X_OK) == 0 {
            ProgramFile.awaitClosed(path(name))
        }
    }

    func object(_ revision: String, in folder: String = "work") async throws -> ObjectID {
        let text = try await git("rev-parse", "--verify", revision, in: folder)
        guard let object = ObjectID(text) else { throw Failure(description: "no object: \(text)") }
        return object
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Makes a symbolic link; its text is taken as it is.
    func link(_ name: String, to text: String) throws {
        try makeFolder((name as NSString).deletingLastPathComponent)
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: text)
    }

    func write(_ text: String, to name: String) throws {
        try folder.write(text, to: name)
    }

    /// A program; its text is a shell script.
    @discardableResult
    func writeProgram(_ text: String, to name: String) throws -> String {
        try write("#!/bin/sh\n" + text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
        return path(name)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
    }

    func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(name), &status) == 0
    }

    /// Everything a user would call theirs: all files with content, mode and time, without objects and our own folder.
    func fingerprint(_ name: String = "work") throws -> [String: String] {
        var prints: [String: String] = [:]
        let names = FileManager.default.enumerator(atPath: path(name))
        while let entry = names?.nextObject() as? String {
            if entry.hasPrefix(".git/objects") || entry.hasPrefix(".git/kanmon") { continue }
            // git itself renews the time of this one whenever it reads a split index, so that it does not expire.
            if entry.hasPrefix(".git/sharedindex.") { continue }
            var status = stat()
            lstat(path("\(name)/\(entry)"), &status)
            guard status.st_mode & S_IFMT == S_IFREG else { continue }
            let content = try Data(contentsOf: URL(fileURLWithPath: path("\(name)/\(entry)"))).base64EncodedString()
            prints[entry] = "\(status.st_mode) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(content)"
        }
        return prints
    }
}

extension Sandbox {
    static let owner = LockOwner(pid: 42, host: "host", since: Date(timeIntervalSince1970: 1_700_000_000))

    func openShadow(_ name: String = "work") async throws -> ShadowTree {
        try await ShadowTree.open(in: try await repository(name), owner: Self.owner)
    }

    /// Lays a revision out and gives the names and contents that are there, without folders.
    func materialize(_ revision: String = "HEAD", in name: String = "work") async throws -> MaterializedTree {
        let tree = try await object("\(revision)^{tree}", in: name)
        let shadow = try await openShadow(name)
        return try await shadow.materialize(tree)
    }

    func shadowFiles(_ name: String = "work/.git/kanmon/tree/work") throws -> [String: String] {
        var files: [String: String] = [:]
        let names = FileManager.default.enumerator(atPath: path(name))
        while let entry = names?.nextObject() as? String {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path("\(name)/\(entry)"), isDirectory: &isFolder)
            if !isFolder.boolValue { files[entry] = try read("\(name)/\(entry)") }
        }
        return files
    }
}
