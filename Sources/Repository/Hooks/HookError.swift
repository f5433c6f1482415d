import Glibc

/// Why a hook cannot be installed or removed; nothing was changed.
public enum HookError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An error of git.
    case git(GitError)
    /// Another program owns the hooks; the lines belong into `file`.
    case ownedBy(HookTool, file: String, lines: [String])
    /// `core.hooksPath` names a folder that other repositories or other people use too.
    case sharedFolder(path: String, reason: SharedReason, file: String, lines: [String])
    /// `core.hooksPath` names something that is no folder: hooks are switched off.
    case hooksDisabled(path: String)
    /// Another hook replaced ours, and the earlier one is still renamed.
    case earlierHookInTheWay(path: String)
    /// The script of a server guards another package of the repository; the lines in `earlier` guard this one too.
    case guardsAnother(path: String, package: String, asked: String, earlier: String, lines: [String])
    /// The script was edited by hand since it was written.
    case edited(path: String)
    /// A path for the script is not absolute, or is no program.
    case notAProgram(path: String)
    /// A call of the operating system failed.
    case fileSystem(_ operation: String, path: String, reason: String)

    /// Why Kanmon must not write to a folder of hooks.
    public enum SharedReason: Sendable, Hashable {
        /// The setting is the user's or the machine's, not this repository's.
        case globalSetting
        /// The hooks there are versioned with the project.
        case tracked
    }

    /// What happened, as a fragment after "failed to".
    public var description: String {
        switch self {
        case .git(let error): error.description
        case .ownedBy(let tool, _, _): "install the hook: \(tool.rawValue) manages the hooks of this repository"
        case .sharedFolder(let path, .globalSetting, _, _):
            "install the hook: core.hooksPath is set to \(path) for all repositories"
        case .sharedFolder(let path, .tracked, _, _):
            "install the hook: core.hooksPath is set to \(path), whose files are part of the project"
        case .hooksDisabled(let path): "install the hook: core.hooksPath is \(path), which is no folder: hooks are off"
        case .earlierHookInTheWay(let path):
            "install the hook: there is another one, and \(path) from an earlier installation still exists"
        case .guardsAnother(let path, let package, let asked, _, _):
            "install the hook for \(HookScript.words(for: [asked])): \(path) guards "
                + "\(HookScript.words(for: [package])), and one script on a server guards one package"
        case .edited(let path): "change \(path): it was edited since Kanmon wrote it"
        case .notAProgram(let path): "install the hook: \(path) is not the absolute path of a program"
        case .fileSystem(let operation, let path, let reason): "\(operation) \(path): \(reason)"
        }
    }

    /// What to do about it.
    public var hint: String? {
        switch self {
        case .git(let error): error.hint
        case .ownedBy(_, let file, let lines), .sharedFolder(_, _, let file, let lines):
            "add to \(file):\n" + lines.joined(separator: "\n")
        case .hooksDisabled: "git config --unset core.hooksPath"
        case .earlierHookInTheWay(let path): "move \(path) away, or put it back in place of the other one"
        case .guardsAnother(_, _, let asked, let earlier, let lines):
            "to guard both, put this into \(earlier), an executable shell script that is called first:\n"
                + lines.joined(separator: "\n")
                + "\nTo guard \(HookScript.words(for: [asked])) alone: kanmon hook uninstall, then install again"
        case .edited: "move your lines into a separate hook, or delete the file"
        case .notAProgram, .fileSystem: nil
        }
    }
}
