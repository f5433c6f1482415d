import ArgumentParser
import Exports
import Foundation
import Gate
import Repository
import TestRunning

/// `kanmon hook`: git hooks.
struct HookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hook",
        abstract: "Install, remove or inspect the git hooks; git runs 'kanmon hook run'.",
        subcommands: [Install.self, Uninstall.self, Status.self, HookRunCommand.self]
    )

    /// The hooks of the repository around a package, and the package's folder in it.
    static func installer(
        _ package: PackageOptions, surroundings: Surroundings
    ) async throws -> (installer: HookInstaller, subpath: String) {
        let root = surroundings.real(package.packagePath)
        let environment = GitEnvironment(surroundings.environment)
        guard let repository = try await GitRepository.discover(at: root, environment: environment) else {
            throw Problem(.usage, "\(root) is not in a git repository", hint: "git init")
        }
        return (HookInstaller(repository), try await repository.subpath(of: root))
    }
}

extension HookCommand {
    /// `kanmon hook install`.
    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Install the pre-push hook; an existing hook is kept and called first.")

        @OptionGroup var package: PackageOptions
        @Flag(help: "Judge every commit too, not only every push.") var preCommit = false
        @OptionGroup var server: HookInstallServerOptions
        @OptionGroup var store: StoreOptions

        func validate() throws {
            try server.check(isPreCommit: preCommit)
        }

        func run() async throws {
            let surroundings = Surroundings.current
            if let mode = server.server { return try await install(mode, surroundings) }
            let context = try await PackageContext.load(package.packagePath, surroundings: surroundings)
            let (installer, subpath) = try await HookCommand.installer(package, surroundings: surroundings)
            let home: String? = store.home
            let changes = try await installer.install(
                preCommit ? HookKind.clients : [.prePush],
                binary: surroundings.calledProgram,
                swift: try await context.swift(surroundings),
                packageSubpath: subpath,
                home: home.map(surroundings.absolute)
            )
            changes.forEach { StandardStreams.print($0.description) }
        }

        /// Installs a server hook; a bare repository has no files to find a package in.
        private func install(_ mode: ServerHookSettings.Mode, _ surroundings: Surroundings) async throws {
            let (installer, _) = try await HookCommand.installer(package, surroundings: surroundings)
            let locator = ToolchainLocator(
                environment: surroundings.environment, swiftOverride: surroundings.environment["KANMON_SWIFT"])
            // The mode `verify` needs no compiler.
            var swift = ""
            do {
                swift = try await locator.locate().tools.swift
            } catch {
                guard mode == .verify else { throw error }
            }
            let changes = try await installer.install(
                [server.update ? .update : .preReceive], binary: surroundings.calledProgram, swift: swift,
                packageSubpath: server.subpath ?? "",
                server: server.options(mode, home: store.home(surroundings).path, surroundings))
            changes.forEach { StandardStreams.print($0.description) }
        }
    }

    /// `kanmon hook uninstall`.
    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall", abstract: "Remove the hooks and restore earlier ones.")

        @OptionGroup var package: PackageOptions

        func run() async throws {
            let (installer, _) = try await HookCommand.installer(package, surroundings: .current)
            try await installer.uninstall().forEach { StandardStreams.print($0.description) }
        }
    }

    /// `kanmon hook status`.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show what git will really do; exits with 2 if no hook guards a push.")

        @OptionGroup var package: PackageOptions

        func run() async throws {
            let (installer, _) = try await HookCommand.installer(package, surroundings: .current)
            let kinds = installer.isServer ? HookKind.servers : HookKind.clients
            var isGuarded = false
            for kind in kinds {
                let status = try await installer.status(kind)
                StandardStreams.print("\(kind.rawValue): \(TerminalText.safe(status.description))")
                if status.isGuarding, kind.guardsPushes { isGuarded = true }
            }
            if !isGuarded { throw ExitStatus.gateFailed }
        }
    }
}

extension HookInstaller.Change {
    /// One line for people.
    fileprivate var description: String {
        switch self {
        case .installed(let path, let callsEarlierHook):
            "installed \(path)" + (callsEarlierHook ? "; the earlier hook is called first" : "")
        case .updated(let path): "updated \(path)"
        case .uninstalled(let path, let restoredEarlierHook):
            "removed \(path)" + (restoredEarlierHook ? "; the earlier hook is restored" : "")
        case .unchanged(let path): "nothing to do for \(path)"
        }
    }
}
