/// The state of a hook.
public enum HookStatus: Sendable, Hashable {
    /// Kanmon is not installed; there may be another hook, perhaps of a known program.
    case notInstalled(otherHook: Bool, HookTool?)
    /// Kanmon is called for the packages in folders, empty for the top; `home` is the KANMON_HOME it is given.
    case installed(binary: String, swift: String, packages: [String], home: String?, callsEarlierHook: Bool)
    /// Kanmon's script is there, but git will not run it: the file is not executable.
    case notExecutable
    /// Kanmon's script is there, but the binary it names is not: every push or commit fails.
    case binaryMissing(path: String)
    /// Kanmon's script is there, but the `swift` it names is not.
    case swiftMissing(path: String)
    /// Kanmon's script was edited by hand.
    case edited
    /// Another hook replaced ours; the listed files of ours remain and are not called.
    case replaced(by: HookTool?, leftBehind: [String])
    /// The pre-commit framework replaced the script and calls it before its own hooks.
    case calledBy(HookTool)
    /// Hooks are switched off: `core.hooksPath` names no folder.
    case disabled

    /// Whether git will let Kanmon judge.
    public var isGuarding: Bool {
        switch self {
        case .installed, .calledBy: true
        default: false
        }
    }
}

extension HookStatus: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .notInstalled(false, _): "not installed"
        case .notInstalled(true, let tool):
            "not installed; another hook is there\(tool.map { " (\($0.rawValue))" } ?? "")"
        case .installed(let binary, _, let packages, let home, let callsEarlierHook):
            "installed: \(binary), for \(HookScript.words(for: packages))"
                + (home.map { ", with KANMON_HOME \($0)" } ?? "")
                + (callsEarlierHook ? ", after the earlier hook" : "")
        case .notExecutable: "not executable: git does not run it"
        case .binaryMissing(let path): "broken: \(path) is gone"
        case .swiftMissing(let path): "broken: \(path) is gone"
        case .edited: "edited by hand"
        case .replaced(let tool, let leftBehind):
            "replaced by \(tool?.rawValue ?? "another hook"); \(leftBehind.joined(separator: ", ")) is not called"
        case .calledBy(let tool): "installed, called by \(tool.rawValue)"
        case .disabled: "off: core.hooksPath names no folder"
        }
    }
}
