/// The variables that git is started with, in two phases: those that a hook must honor, and everything else.
///
/// Inside a hook git points its children at one repository, index and object store (`GIT_DIR`, `GIT_INDEX_FILE`,
/// `GIT_OBJECT_DIRECTORY`, the quarantine of a push). A call that asks about what is being committed must see them. Any
/// other child must not: SwiftPM's own git calls would write a dependency's file list into the user's index.
public struct GitEnvironment: Sendable {
    /// Which of the inherited variables a call sees.
    enum Scope: Sendable {
        /// All of them: what is being committed or pushed is the question.
        case hook
        /// None that point at a repository, except where objects are.
        case objects
        /// None that point at a repository.
        case anywhere
    }

    /// All variables that this process inherited.
    let inherited: [String: String]

    /// Takes the variables that this process inherited.
    public init(_ inherited: [String: String]) {
        self.inherited = inherited
    }

    /// The variables without those by which git points at a repository: for every child that is no part of the hook.
    var withoutRepository: [String: String] {
        inherited.filter { name, _ in !name.hasPrefix("GIT_") || Self.isPersonal(name) }
    }

    /// Settings of the person or the machine, which hold for any repository.
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

    /// No questions, no locks taken for convenience, messages in one language, objects as they are and not as
    /// `refs/replace` would have them: a push sends the originals.
    private static let fixed = [
        "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C",
    ]
}
