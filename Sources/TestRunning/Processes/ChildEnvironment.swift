import Evidence
import RunModel

/// The environment of the children: what is on the allow-list and what the caller adds.
///
/// SwiftPM also gets git's settings, as it would in the user's shell: without credentials no private package can be fetched. The
/// tests do not, so that none prints a secret, unless the caller adds them. Neither gets what leads git to another repository.
public struct ChildEnvironment: Sendable, Hashable {
    /// What the tests get.
    let variables: [String: String]
    /// What SwiftPM and scripts get: the same, and git's settings.
    let buildVariables: [String: String]
    /// Names that are not passed on to the tests but could be, sorted.
    let withheld: [String]

    /// Chooses from the caller's environment.
    ///
    /// - Parameters:
    ///   - extra: `NAME` lets a variable through, `NAME=value` sets one.
    ///   - ceiling: The folder above which git does not look for a repository.
    init(parent: [String: String], extra: [String] = [], ceiling: String? = nil) {
        var chosen = parent.filter { Self.isAllowed($0.key) }
        chosen["PATH"] = chosen["PATH"].map(Self.withoutGit)
        for entry in extra {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map(String.init), !name.isEmpty, !Self.isForbidden(name) else { continue }
            if parts.count == 2 {
                chosen[name] = String(parts[1])
            } else if let value = parent[name] {
                chosen[name] = value
            }
        }
        if let ceiling { chosen["GIT_CEILING_DIRECTORIES"] = ceiling }
        variables = chosen
        let settings = parent.filter { GitVariable.isSetting($0.key) && !GitVariable.isTrace($0.key) }
        buildVariables = settings.merging(chosen) { $1 }
        // Git's are for the build, which has them.
        withheld = parent.keys.filter { name in
            chosen[name] == nil && !name.hasPrefix("GIT_") && !Self.incidental.contains(name)
                && !Self.isForbidden(name)
        }.sorted()
    }

    /// What the tests get, by name, each with the first four digits of a checksum of its value: a short value could be told by all of them.
    /// Of credentials, and of the socket of a login, it only counts that they are there.
    var checksums: [String: String] {
        var checksums: [String: String] = [:]
        // Where git does not look for a repository is another place for each folder, and Kanmon's doing.
        for (name, value) in variables where name != "GIT_CEILING_DIRECTORIES" {
            let entry = name == "SSH_AUTH_SOCK" ? name : Redaction.clean("\(name)=\(value)")
            checksums[name] = String(Digest.sha256(Array(entry.utf8)).prefix(4))
        }
        return checksums
    }

    /// The names in an environment that are not passed to children but could be, sorted.
    ///
    /// - Parameter extra: `NAME` lets a variable through, `NAME=value` sets one.
    public static func withheld(from parent: [String: String], passing extra: [String]) -> [String] {
        ChildEnvironment(parent: parent, extra: extra).withheld
    }

    /// What children get to see of an environment.
    ///
    /// - Parameter extra: `NAME` lets a variable through, `NAME=value` sets one.
    public static func passed(from parent: [String: String], passing extra: [String]) -> [String: String] {
        ChildEnvironment(parent: parent, extra: extra).variables
    }

    private static func isAllowed(_ name: String) -> Bool {
        names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }

    /// In a hook, git's own programs come first in the list of folders. What is tested there is the same as anywhere else.
    private static func withoutGit(_ path: String) -> String {
        path.split(separator: ":", omittingEmptySubsequences: false).drop { $0.hasSuffix("/git-core") }
            .joined(separator: ":")
    }

    /// Some of git's variables name the user's repository; a preloaded library would run inside the tools. The others are Kanmon's
    /// own: what they say is meant for it, and no setting may pass them on.
    private static func isForbidden(_ name: String) -> Bool {
        GitVariable.leadsElsewhere(name) || name.hasPrefix("KANMON_") || name == "LD_PRELOAD"
            || name == "LLVM_PROFILE_FILE"
    }

    private static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "CI",
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
        "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy",
        "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
        "SSL_CERT_FILE", "SSL_CERT_DIR", "SSH_AUTH_SOCK",
        "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR",
        "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
        "CC", "CXX", "SDKROOT", "TOOLCHAINS", "SWIFTLY_HOME_DIR", "SWIFTLY_BIN_DIR", "SWIFTLY_TOOLCHAINS_DIR",
    ]
    private static let prefixes = ["LC_"]
    /// Variables that a shell sets for itself, and LLVM's runtime where Kanmon itself is measured: no test needs them.
    private static let incidental: Set<String> = ["_", "OLDPWD", "PWD", "SHLVL", "__LLVM_PROFILE_RT_INIT_ONCE"]
}
