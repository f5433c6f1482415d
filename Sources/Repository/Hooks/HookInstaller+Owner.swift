import Foundation

extension HookInstaller {
    /// Throws if another program would remove our script, or if it would affect other repositories.
    func checkOwner(of folder: String, _ script: HookScript) async throws(HookError) {
        if let file = lefthookFile(folder, script.kind) {
            throw .ownedBy(.lefthook, file: file, lines: Self.lefthookLines(script))
        }
        if HookFile(folder: folder, kind: script.kind).tool == .gitea {
            let file = "\(Self.giteaFolder(folder, script.kind))/kanmon, an executable file"
            throw .ownedBy(.gitea, file: file, lines: ["#!/bin/sh", "exec \(script.call) \"$@\""])
        }
        guard let setting = try await hooksPathSetting() else { return }
        if let husky = huskyFile(folder, script.kind) {
            throw .ownedBy(.husky, file: husky, lines: script.snippet)
        }
        let file = "\(folder)/\(script.kind.rawValue)"
        switch setting {
        case "local", "worktree":
            guard try await isTracked(folder) else { return }
            throw .sharedFolder(path: folder, reason: .tracked, file: file, lines: script.snippet)
        default:
            throw .sharedFolder(path: folder, reason: .globalSetting, file: file, lines: script.snippet)
        }
    }

    /// Another program that calls Kanmon by its own configuration, or a hook of ours that git no longer uses.
    func caller(of kind: HookKind, in folder: String) async throws(HookError) -> HookStatus? {
        // By the call itself, or by the id of the hook in .pre-commit-hooks.yaml.
        let calls = ["hook run \(kind.rawValue)", "id: kanmon-\(kind.rawValue)"]
        let hook = HookFile(folder: folder, kind: kind)
        func mentions(_ name: String) -> Bool {
            repository.workTree.map { isCaller("\($0)/\(name)") } ?? false
        }
        func isCaller(_ path: String) -> Bool {
            let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            // A comment calls nothing, in YAML as in a script.
            let lines = text.split(whereSeparator: \.isNewline).filter { $0.first { $0 != " " && $0 != "\t" } != "#" }
            return lines.contains { line in calls.contains { line.contains($0) } }
        }
        // Git runs no hook that is not executable, and prints only a hint about it.
        let isRun = Self.isProgram(hook.path)
        switch hook.tool {
        case .lefthook where isRun && HookTool.lefthookFiles.contains(where: mentions): return .calledBy(.lefthook)
        case .preCommit where isRun && mentions(".pre-commit-config.yaml"): return .calledBy(.preCommit)
        case .gitea:
            let scripts = Self.giteaFolder(folder, kind)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: scripts)) ?? []
            if names.map({ "\(scripts)/\($0)" }).contains(where: { Self.isProgram($0) && isCaller($0) }) {
                return .calledBy(.gitea)
            }
        default: break
        }
        if let husky = huskyFile(folder, kind), mentions(husky) { return .calledBy(.husky) }
        // core.hooksPath was set after our script was written.
        let usual = HookFile(folder: repository.commonDirectory + "/hooks", kind: kind)
        if usual.folder != folder, case .ours = try usual.state() {
            return .replaced(by: huskyFile(folder, kind) == nil ? hook.tool : .husky, leftBehind: [usual.path])
        }
        return nil
    }

    /// The configuration of lefthook, or the hook that it wrote.
    private func lefthookFile(_ folder: String, _ kind: HookKind) -> String? {
        let configured = HookTool.lefthookFiles.first { name in
            repository.workTree.map { FileManager.default.fileExists(atPath: "\($0)/\(name)") } ?? false
        }
        if let configured { return configured }
        return HookFile(folder: folder, kind: kind).tool == .lefthook ? "lefthook.yml" : nil
    }

    /// The folder whose programs Gitea's hook calls.
    private static func giteaFolder(_ folder: String, _ kind: HookKind) -> String { "\(folder)/\(kind.rawValue).d" }

    private static func lefthookLines(_ script: HookScript) -> [String] {
        // A block, because a YAML value that begins with a quotation mark ends at the next one.
        let lines = [
            "\(script.kind.rawValue):", "  commands:", "    kanmon:", "      run: |", "        \(script.call) {0}",
        ]
        return script.kind.readsStandardInput ? lines + ["      use_stdin: true"] : lines
    }

    /// The script that husky calls for a hook: `.husky/NAME`, whether the setting names `.husky` or `.husky/_`.
    private func huskyFile(_ folder: String, _ kind: HookKind) -> String? {
        folder.hasSuffix("/.husky/_") || folder.hasSuffix("/.husky") ? ".husky/\(kind.rawValue)" : nil
    }

    /// The scope of `core.hooksPath`, as git names it; `nil` if it is not set.
    private func hooksPathSetting() async throws(HookError) -> String? {
        do {
            let answer = try await repository.run(
                "config",
                ["--show-scope", "-z", "--get", "core.hooksPath"],
                keepsHooksPath: true
            )
            if answer.status == 1 { return nil }
            return String(decoding: try answer.checked("config").bytes.prefix { $0 != 0 }, as: UTF8.self)
        } catch {
            throw .git(error)
        }
    }

    /// Whether files of a folder are versioned with the project.
    private func isTracked(_ folder: String) async throws(HookError) -> Bool {
        guard let top = repository.workTree, folder == top || folder.hasPrefix(top + "/") else { return false }
        do {
            let below = folder == top ? "." : String(folder.dropFirst(top.count + 1))
            return try await !repository.run("ls-files", ["-z", "--", ":(literal)\(below)"]).checked("ls-files").bytes
                .isEmpty
        } catch {
            throw .git(error)
        }
    }
}
