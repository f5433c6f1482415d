import Application
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
        _ package: PackageOptions, process: ProcessContext
    ) async throws -> (repository: GitRepository, installer: HookInstaller, subpath: String) {
        let (repository, root) = try await package.repository(process, hint: "git init")
        return (repository, HookInstaller(repository), try await repository.subpath(of: root))
    }
}

extension HookCommand {
    /// `kanmon hook install`.
    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Install the pre-push hook; an existing hook is kept and called first.",
            discussion: "Installed for several packages of a repository, it guards all of them.")

        @OptionGroup var package: PackageOptions
        @Flag(help: "Guard every package of the repository: each outermost folder with a Package.swift.")
        var allPackages = false
        @Flag(help: "Judge every commit too, not only every push.") var preCommit = false
        @OptionGroup var server: HookInstallServerOptions
        @OptionGroup var store: StoreOptions

        func validate() throws {
            try server.check(isPreCommit: preCommit)
            if allPackages, server.server != nil {
                throw ValidationError(
                    "--all-packages is for the hooks of a clone; --subpath names the package on a server")
            }
        }

        func run() async throws {
            let process = ProcessContext.current
            if let mode = server.server { return try await install(mode, process) }
            // Before git is asked, so that a folder without a package is named first.
            var context =
                allPackages ? nil : try await PackageContext.load(package.packagePath, process: process)
            let (repository, installer, subpath) = try await HookCommand.installer(package, process: process)
            let packages = allPackages ? try repository.packages() : [subpath]
            for path in packages where allPackages {
                let root = PackageSubpath(path).folder(in: repository.workTree ?? ".")
                context = try await PackageContext.load(root, process: process)
            }
            let home: String? = store.home
            let changes = try await installer.install(
                preCommit ? HookKind.clients : [.prePush],
                binary: process.calledProgram,
                swift: try await context?.swift(process) ?? "",
                packages: packages,
                home: home.map(process.absolute)
            )
            changes.forEach { StandardStreams.print($0.description) }
        }

        /// Installs a server hook; a bare repository has no files to find a package in.
        private func install(_ mode: ServerHookSettings.Mode, _ process: ProcessContext) async throws {
            let installer = try await HookCommand.installer(package, process: process).installer
            let locator = ToolchainLocator(
                environment: process.environment, swiftOverride: process.environment["KANMON_SWIFT"])
            // The mode `verify` needs no compiler.
            var swift = ""
            do {
                swift = process.absolute(try await locator.findWorkingSwift())
            } catch {
                guard mode == .verify else { throw error }
            }
            let changes = try await installer.install(
                [server.update ? .update : .preReceive], binary: process.calledProgram, swift: swift,
                packages: [server.subpath ?? ""],
                server: server.options(mode, home: store.home(process).path, process))
            changes.forEach { StandardStreams.print($0.description) }
        }
    }

    /// `kanmon hook uninstall`.
    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall", abstract: "Remove the hooks and restore earlier ones.",
            discussion:
                "If the hooks guard several packages and this folder is one, only this one is no longer guarded.")

        @OptionGroup var package: PackageOptions

        func run() async throws {
            let (_, installer, subpath) = try await HookCommand.installer(package, process: .current)
            try await installer.uninstall(package: subpath).forEach { StandardStreams.print($0.description) }
        }
    }

    /// `kanmon hook status`.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show what git will really do; exits with 2 if no hook guards a push.")

        @OptionGroup var package: PackageOptions

        func run() async throws {
            let installer = try await HookCommand.installer(package, process: .current).installer
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

extension GitRepository {
    /// The folders of the packages that lie in no other one.
    fileprivate func packages() throws -> [String] {
        guard let workTree else {
            throw Problem(
                .usage, "a repository without a work tree has no folders of packages",
                hint: "kanmon hook install --server verify guards a package of a bare repository")
        }
        return try NestedPackages.all(in: workTree)
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
