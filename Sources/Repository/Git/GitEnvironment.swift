import RunModel

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
        var variables = inherited.filter { name, _ in !name.hasPrefix("GIT_") || Self.isPersonal(name) }
        variables.merge(connectionSettings) { $1 }
        return variables
    }

    /// Whether a variable says where the search for a repository ends.
    var endsSearch: Bool { inherited["GIT_CEILING_DIRECTORIES"]?.isEmpty == false }

    /// Settings of the user or the machine, which apply to any repository.
    private static func isPersonal(_ name: String) -> Bool {
        if ["GIT_SSL_", "GIT_SSH", "GIT_HTTP_", "GIT_PROXY_"].contains(where: { name.hasPrefix($0) }) { return true }
        return [
            "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_ASKPASS", "GIT_USERNAME",
            "GIT_PASSWORD", "GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER", "GIT_CEILING_DIRECTORIES",
            "GIT_DISCOVERY_ACROSS_FILESYSTEM",
            // Makes git distrust the owner of every repository; only tests set it.
            "GIT_TEST_ASSUME_DIFFERENT_OWNER",
        ].contains(name)
    }

    /// Those of the settings in `GIT_CONFIG_COUNT` that are about connections, credentials and trust, renumbered.
    /// Others could change what git reads.
    private var connectionSettings: [String: String] {
        guard let count = inherited["GIT_CONFIG_COUNT"].flatMap({ Int($0) }), count > 0 else { return [:] }
        var settings: [String: String] = [:]
        var kept = 0
        for number in 0..<min(count, Self.mostSettings) {
            guard let key = inherited["GIT_CONFIG_KEY_\(number)"], let value = inherited["GIT_CONFIG_VALUE_\(number)"],
                Self.isOfConnection(key)
            else { continue }
            settings["GIT_CONFIG_KEY_\(kept)"] = key
            settings["GIT_CONFIG_VALUE_\(kept)"] = value
            kept += 1
        }
        if kept > 0 { settings["GIT_CONFIG_COUNT"] = String(kept) }
        return settings
    }

    private static let mostSettings = 10_000

    private static func isOfConnection(_ key: String) -> Bool {
        let key = key.lowercased()
        return ["credential.", "http.", "https.", "protocol.", "safe.", "ssh.", "url."].contains { key.hasPrefix($0) }
            || ["core.askpass", "core.gitproxy", "core.sshcommand"].contains(key)
    }

    func variables(for scope: Scope, adding additions: [String: String] = [:]) -> [String: String] {
        var variables = withoutRepository
        switch scope {
        case .anywhere: break
        case .objects:
            for name in ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"] {
                variables[name] = inherited[name]
            }
        case .hook:
            for name in Self.ofHook { variables[name] = inherited[name] }
        }
        for (name, value) in Self.fixed { variables[name] = value }
        for (name, value) in additions { variables[name] = value }
        return variables
    }

    /// The variables that name the repository of a hook; in `GIT_CONFIG_PARAMETERS` git passes on the settings of `git -c`.
    private static let ofHook = [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG_PARAMETERS", "GIT_DIR", "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
    ]

    /// A path at which no file can exist: git warns even of an empty file of grafts, but not of a missing one.
    private static let noFile = "/dev/null/none"

    /// No prompts, no optional locks, messages in English, and neither `refs/replace` nor `info/grafts`, because a push sends the
    /// original objects.
    private static let fixed = [
        "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": noFile, "LC_ALL": "C",
    ]
}
