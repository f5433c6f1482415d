import ArgumentParser
import Exports
import Foundation
import Gate
import Repository

/// `kanmon hook`: git hooks.
struct HookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hook",
        abstract: "Install, remove or look at the git hooks; git runs 'kanmon hook run'.",
        subcommands: [Install.self, Uninstall.self, Status.self, HookRunCommand.self]
    )

    /// The hooks of the repository around a package, and where the package lies in it.
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
            abstract: "Install the pre-push hook; a hook that is there already is kept and called first.")

        @OptionGroup var package: PackageOptions
        @Flag(help: "Judge every commit too, not only every push.") var preCommit = false

        func run() async throws {
            let surroundings = Surroundings.current
            let context = try await PackageContext.load(package.packagePath, surroundings: surroundings)
            let (installer, subpath) = try await HookCommand.installer(package, surroundings: surroundings)
            let changes = try await installer.install(
                preCommit ? [.prePush, .preCommit] : [.prePush],
                binary: surroundings.executable,
                swift: try await context.swift(surroundings),
                packageSubpath: subpath
            )
            changes.forEach { StandardStreams.print($0.description) }
        }
    }

    /// `kanmon hook uninstall`.
    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the hooks and put back what was there before.")

        @OptionGroup var package: PackageOptions

        func run() async throws {
            let (installer, _) = try await HookCommand.installer(package, surroundings: .current)
            try await installer.uninstall().forEach { StandardStreams.print($0.description) }
        }
    }

    /// `kanmon hook status`.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say what git will really do; exits with 2 when no hook guards a push.")

        @OptionGroup var package: PackageOptions

        func run() async throws {
            let (installer, _) = try await HookCommand.installer(package, surroundings: .current)
            for kind in HookKind.allCases {
                StandardStreams.print(
                    "\(kind.rawValue): \(TerminalText.safe(try await installer.status(kind).description))")
            }
            if try await !installer.status(.prePush).isGuarding { throw ExitStatus.gateFailed }
        }
    }
}

extension HookInstaller.Change {
    /// One line for people.
    fileprivate var description: String {
        switch self {
        case .installed(let path, let callsEarlierHook):
            "installed \(path)" + (callsEarlierHook ? "; the hook that was there is called first" : "")
        case .updated(let path): "updated \(path)"
        case .uninstalled(let path, let restoredEarlierHook):
            "removed \(path)" + (restoredEarlierHook ? "; the hook from before is back" : "")
        case .unchanged(let path): "nothing to do for \(path)"
        }
    }
}
