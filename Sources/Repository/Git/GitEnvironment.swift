/// The variables that git is started with. Some must be kept in a hook, others removed.
///
/// Inside a hook, git sets variables that name its repository, index and object store (`GIT_DIR`, `GIT_INDEX_FILE`,
/// `GIT_OBJECT_DIRECTORY`, the quarantine of a push). A call about the commit or push itself needs them. Other
/// children must not get them: SwiftPM's own git calls would write a dependency's file list into the user's index.
public struct GitEnvironment: Sendable {
    /// Which inherited variables a call gets.
    enum Scope: Sendable {
        /// All: the call is about the commit or push.
        case hook
        /// None that name a repository, except object stores.
        case objects
        /// None that name a repository.
        case anywhere
    }

    /// All variables that this process inherited.
    let inherited: [String: String]

    /// Uses the variables that this process inherited.
    public init(_ inherited: [String: String]) {
        self.inherited = inherited
    }

    /// The variables without those that name a repository, for children that are no part of the hook.
    var withoutRepository: [String: String] {
        inherited.filter { name, _ in !name.hasPrefix("GIT_") || Self.isPersonal(name) }
    }

    /// Settings of the user or the machine, which apply to any repository.
    private static func isPersonal(_ name: String) -> Bool {
        if name.hasPrefix("GIT_SSL_") || name.hasPrefix("GIT_SSH") || name.hasPrefix("GIT_HTTP_") { return true }
        return [
            "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_ASKPASS", "GIT_ALLOW_PROTOCOL",
            "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        ].contains(name)
    }

    func variables(for scope: Scope, adding additions: [String: String] = [:]) -> [String: String] {
        var variables = scope == .hook ? inherited : withoutRepository
        if scope == .objects {
            for name in ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"] {
                variables[name] = inherited[name]
            }
        }
        for (name, value) in Self.fixed { variables[name] = value }
        for (name, value) in additions { variables[name] = value }
        return variables
    }

    /// A path at which no file can be. Git warns of an empty list of grafts, too, but not of one that is not there.
    private static let noFile = "/dev/null/none"

    /// No prompts, no optional locks, messages in English, and neither `refs/replace` nor `info/grafts`, because a push sends the
    /// original objects.
    private static let fixed = [
        "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": noFile, "LC_ALL": "C",
    ]
}
