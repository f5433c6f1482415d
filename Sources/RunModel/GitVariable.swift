/// The environment variables of git, by what they do.
///
/// Some lead git to another repository. In a hook they name the user's, so that the git of SwiftPM would write the file list of a
/// dependency into the user's index. All others are settings of a person or a CI server, above all credentials, without which no
/// private package can be fetched.
public enum GitVariable {
    /// Whether a variable leads git to another repository, index or object store, or to another reading of the paths it is given.
    public static func leadsElsewhere(_ name: String) -> Bool { elsewhere.contains(name) }

    /// The names of variables that lead git elsewhere, sorted. Source: git(1), `git rev-parse --local-env-vars`.
    public static let elsewhere = [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_ATTR_SOURCE", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_DEFAULT_HASH",
        "GIT_DIR",
        "GIT_GLOB_PATHSPECS", "GIT_GRAFT_FILE", "GIT_ICASE_PATHSPECS", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_NAMESPACE", "GIT_NOGLOB_PATHSPECS",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    ]

    /// Whether a variable is a setting of git or of the programs by which git asks for credentials.
    public static func isSetting(_ name: String) -> Bool {
        name.hasPrefix("GIT_") && !leadsElsewhere(name) || isOfHelper(name)
    }

    /// Whether a variable is about connections and credentials. Its value may differ in every build of a CI server, and what git
    /// fetches does not depend on it.
    public static func isCredential(_ name: String) -> Bool {
        isOfHelper(name) || ["GIT_ASKPASS", "GIT_USERNAME", "GIT_PASSWORD", "GIT_TERMINAL_PROMPT"].contains(name)
            || ["GIT_CONFIG_", "GIT_HTTP_", "GIT_PROXY_", "GIT_SSH", "GIT_SSL_"].contains { name.hasPrefix($0) }
    }

    /// Whether git tells a variable to its hooks, beside those that lead elsewhere: the author and the time of a commit, and how git was
    /// called. They differ in every commit, and between a hook and a terminal.
    public static func isOfHook(_ name: String) -> Bool {
        ["GIT_EDITOR", "GIT_EXEC_PATH", "GIT_PROTOCOL", "GIT_REFLOG_ACTION"].contains(name)
            || ["GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_PUSH_"].contains { name.hasPrefix($0) }
    }

    /// Whether a variable makes git log its work on standard error, including secrets.
    public static func isTrace(_ name: String) -> Bool {
        name.hasPrefix("GIT_TRACE") || name == "GIT_CURL_VERBOSE" || name == "GIT_REDACT_COOKIES"
    }

    private static func isOfHelper(_ name: String) -> Bool { helpers.contains(name) || name.hasPrefix("GCM_") }

    /// What ssh, curl and the usual credential helpers read: those of gh and glab, of a keyring, of pass, of Kerberos.
    private static let helpers: Set = [
        "NETRC", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SSH_AGENT_PID", "CURL_CA_BUNDLE", "CURL_HOME", "DISPLAY",
        "WAYLAND_DISPLAY", "XAUTHORITY", "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN",
        "GH_HOST", "GH_CONFIG_DIR", "GITLAB_TOKEN", "GLAB_CONFIG_DIR", "DBUS_SESSION_BUS_ADDRESS", "GNUPGHOME",
        "PASSWORD_STORE_DIR", "KRB5CCNAME", "KRB5_CONFIG",
    ]
}
