import Foundation

/// Installs and removes Kanmon's hooks in a repository, and keeps earlier hooks.
public struct HookInstaller: Sendable {
    /// What a call did to one hook.
    public enum Change: Sendable, Hashable {
        /// The script was written; whether there was an earlier hook, which is called first.
        case installed(path: String, callsEarlierHook: Bool)
        /// The script existed with other paths or was not executable; it was written again.
        case updated(path: String)
        /// The script was removed; whether the earlier hook was restored.
        case uninstalled(path: String, restoredEarlierHook: Bool)
        /// There was nothing to do.
        case unchanged(path: String)
    }

    /// The suffix of an earlier hook.
    static let suffix = ".before-kanmon"

    let repository: GitRepository

    /// Whether the repository is bare, so that it gets server hooks.
    public var isServer: Bool { repository.workTree == nil }

    /// Works on the hooks of a repository.
    public init(_ repository: GitRepository) {
        self.repository = repository
    }

    /// Writes the hooks; an existing hook is renamed and called first. A script that guards other packages guards these as well; one of
    /// a server that guards another package is not changed.
    ///
    /// Either all hooks are written or none.
    /// - Parameters:
    ///   - binary: Absolute path of `kanmon`.
    ///   - swift: Absolute path of `swift`.
    ///   - packages: The folders of the packages below the top of the work tree; empty for the top.
    ///   - home: The folder of the store, absolute; `nil` for the one in the hook's environment, and for a server.
    ///   - server: The options of server hooks.
    public func install(
        _ kinds: [HookKind],
        binary: String,
        swift: String,
        packages: [String] = [""],
        home: String? = nil,
        server: ServerHookSettings? = nil
    ) async throws(HookError) -> [Change] {
        // The mode `verify` needs no compiler.
        let programs = swift.isEmpty && server?.mode == .verify ? [binary] : [binary, swift]
        for path in programs where !path.hasPrefix("/") || !Self.isProgram(path) {
            throw .notAProgram(path: path)
        }
        let scripts = kinds.map {
            HookScript(
                kind: $0, binary: binary, swift: swift, packages: packages,
                home: $0.isServers ? nil : home, server: $0.isServers ? server : nil)
        }
        let folder = try await folder()
        for script in scripts { try await checkOwner(of: folder, script) }
        let states = try scripts.map { script throws(HookError) in
            try HookFile(folder: folder, kind: script.kind).checkedState(for: script)
        }
        var changes: [Change] = []
        for (script, state) in zip(scripts, states) {
            changes.append(try HookFile(folder: folder, kind: script.kind).install(script, over: state))
        }
        return changes
    }

    /// Removes our scripts and restores earlier hooks unchanged. Does not touch other hooks.
    ///
    /// - Parameters:
    ///   - kinds: Which hooks; all that such a repository can have if `nil`.
    ///   - package: The folder of the only package to remove from scripts that guard several; all of them go if `nil`, or if it is none
    ///     of them.
    public func uninstall(_ kinds: [HookKind]? = nil, package: String? = nil) async throws(HookError) -> [Change] {
        let kinds = kinds ?? (isServer ? HookKind.servers : HookKind.clients)
        let folder = try await folder()
        let states = try kinds.map { kind throws(HookError) in try HookFile(folder: folder, kind: kind).state() }
        for (kind, state) in zip(kinds, states) where state == .edited {
            throw .edited(path: HookFile(folder: folder, kind: kind).path)
        }
        var changes: [Change] = []
        for (kind, state) in zip(kinds, states) {
            changes.append(try HookFile(folder: folder, kind: kind).uninstall(package, state))
        }
        return changes
    }

    /// The state of a hook: what git will really do.
    public func status(_ kind: HookKind) async throws(HookError) -> HookStatus {
        let folder: String
        do {
            folder = try await self.folder()
        } catch .hooksDisabled {
            return .disabled
        }
        let status = try HookFile(folder: folder, kind: kind).status()
        switch status {
        case .notInstalled, .replaced: return try await caller(of: kind, in: folder) ?? status
        default: return status
        }
    }

    /// Where git looks for hooks.
    private func folder() async throws(HookError) -> String {
        let path: String
        do {
            path = try await repository.hooksDirectory()
        } catch {
            throw .git(error)
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
            throw .hooksDisabled(path: path)
        }
        return path
    }

    static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let files = FileManager.default
        return files.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && files.isExecutableFile(atPath: path)
    }
}
