import Foundation
import Glibc
import RunModel

/// The file of one hook, and the renamed earlier hook beside it.
struct HookFile: Sendable {
    /// The kind of the current hook file.
    enum State: Sendable, Hashable {
        case absent
        case ours(HookScript, isExecutable: Bool)
        case edited
        case other
    }

    let folder: String
    let kind: HookKind

    var path: String { "\(folder)/\(kind.rawValue)" }
    var earlier: String { path + HookInstaller.suffix }
    var hasEarlier: Bool { Self.exists(earlier) }
    var callsEarlier: Bool { HookInstaller.isProgram(earlier) }
    /// The program that wrote the current hook file.
    var tool: HookTool? { Self.text(path).flatMap { HookTool(hook: $0) } }

    func state() throws(HookError) -> State {
        guard Self.exists(path) else { return .absent }
        guard let text = Self.text(path), HookScript.isMarked(text, kind: kind) else { return .other }
        guard let script = HookScript(text, kind: kind) else { return .edited }
        return .ours(script, isExecutable: HookInstaller.isProgram(path))
    }

    /// The state; throws if it forbids writing a script.
    func checkedState(for script: HookScript) throws(HookError) -> State {
        let state = try state()
        switch state {
        case .ours(let old, _)
        where script.server != nil && old.packages.map({ Name($0) }) != script.packages.map({ Name($0) }):
            throw .guardsAnother(
                path: path, package: old.packages[0], asked: script.packages[0], earlier: earlier,
                lines: script.snippet)
        case .edited: throw .edited(path: path)
        case .other where hasEarlier: throw .earlierHookInTheWay(path: earlier)
        default: return state
        }
    }

    /// Writes a script. Packages that an existing script of ours guards stay guarded, except on a server.
    func install(_ script: HookScript, over state: State) throws(HookError) -> HookInstaller.Change {
        var script = script
        if case .ours(let old, _) = state, script.server == nil {
            let added = script.packages.filter { asked in !old.packages.contains { Name($0) == Name(asked) } }
            script.packages = old.packages + added
        }
        return try replace(state, by: script)
    }

    private func replace(_ state: State, by script: HookScript) throws(HookError) -> HookInstaller.Change {
        if state == .ours(script, isExecutable: true) { return .unchanged(path: path) }
        let prepared = path + ".kanmon-\(UUID().uuidString)"
        do {
            let files = FileManager.default
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(script.text.utf8).write(to: URL(fileURLWithPath: prepared), options: .withoutOverwriting)
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: prepared)
        } catch {
            unlink(prepared)
            throw .fileSystem("write", path: prepared, reason: error.localizedDescription)
        }
        if state == .other { try rename(path, to: earlier) }
        try rename(prepared, to: path)
        if case .ours = state { return .updated(path: path) }
        return .installed(path: path, callsEarlierHook: callsEarlier)
    }

    /// Removes our script; if it guards others beside `package`, it guards those alone.
    func uninstall(_ package: String?, _ state: State) throws(HookError) -> HookInstaller.Change {
        guard case .ours(var script, _) = state else { return .unchanged(path: path) }
        let others = script.packages.filter { other in package.map { Name(other) != Name($0) } ?? false }
        if !others.isEmpty, others.count < script.packages.count {
            script.packages = others
            return try replace(state, by: script)
        }
        if hasEarlier {
            try rename(earlier, to: path)
            return .uninstalled(path: path, restoredEarlierHook: true)
        }
        guard unlink(path) == 0 else {
            throw .fileSystem("remove", path: path, reason: String(cString: strerror(errno)))
        }
        return .uninstalled(path: path, restoredEarlierHook: false)
    }

    func status() throws(HookError) -> HookStatus {
        switch try state() {
        case .absent: return .notInstalled(otherHook: false, nil)
        case .edited: return .edited
        case .ours(_, isExecutable: false): return .notExecutable
        case .ours(let script, isExecutable: true):
            if !HookInstaller.isProgram(script.binary) { return .binaryMissing(path: script.binary) }
            let needsSwift = !(script.swift.isEmpty && script.server?.mode == .verify)
            if needsSwift, !HookInstaller.isProgram(script.swift) { return .swiftMissing(path: script.swift) }
            return .installed(
                binary: script.binary, swift: script.swift, packages: script.packages,
                home: script.server?.home ?? script.home, callsEarlierHook: callsEarlier)
        case .other:
            // The pre-commit framework renames a hook to NAME.legacy and calls it; lefthook renames it to NAME.old
            // and does not.
            let names = [".legacy", ".old"].map { path + $0 }
            let ours = names.filter { Self.text($0).map { HookScript.isMarked($0, kind: kind) } ?? false }
            if tool == .preCommit, ours.first == path + ".legacy" { return .calledBy(.preCommit) }
            let left = ours + (hasEarlier ? [earlier] : [])
            return left.isEmpty ? .notInstalled(otherHook: true, tool) : .replaced(by: tool, leftBehind: left)
        }
    }

    private func rename(_ source: String, to target: String) throws(HookError) {
        // Renames the name itself, also a link, atomically.
        guard Glibc.rename(source, target) == 0 else {
            throw .fileSystem("rename", path: source, reason: String(cString: strerror(errno)))
        }
    }

    /// Whether the name exists, also as a broken link.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
