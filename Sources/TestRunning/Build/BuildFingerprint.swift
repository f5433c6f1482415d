import Foundation
import RunModel

/// What a build depends on besides files: the toolchain, the command, and the environment of compilers and linkers.
struct BuildFingerprint {
    /// The command that builds.
    private let build: ChildCommand

    /// Takes the command that builds.
    init(_ build: ChildCommand) { self.build = build }

    /// All of it as one hash; `nil` if the toolchain is unknown.
    var hash: String? {
        let folder = (build.executable as NSString).deletingLastPathComponent
        guard let programs = ToolchainCache.programs(of: build.executable, in: folder) else { return nil }
        var hash = PiecewiseHash()
        // What was built by other rules than those of today may lack something that they find.
        for text in ["\(RunInputs.currentEvidenceVersion)"] + programs + build.words { hash.add(text.utf8) }
        let variables = build.environment.filter { !Self.isOfSession($0.key) }.map { "\($0.key)=\($0.value)" }
        for text in variables.sorted(by: { Name($0) < Name($1) }) { hash.add(text.utf8) }
        return hash.hexadecimal
    }

    /// The variables of a session that programs of the build may look at, such as the commands of plugins, as one hash. What says
    /// where things are on a machine, and whose it is, is none of them, nor are credentials and what git tells its hooks: what programs
    /// have made would be made again in every session and for every commit.
    var variables: String {
        let variables = build.environment.filter { Self.isOfSession($0.key) && !Self.isPlace($0.key) }
        var hash = PiecewiseHash()
        for text in variables.map({ "\($0.key)=\($0.value)" }).sorted(by: { Name($0) < Name($1) }) {
            hash.add(text.utf8)
        }
        return hash.hexadecimal
    }

    /// Whether a variable is one of a person or session, which no compiler or linker reads. git puts its own folder at the front of
    /// PATH in hooks, and tells a commit hook the author and the time of the commit; SwiftPM takes compilers and linkers from the
    /// toolchain.
    private static func isOfSession(_ name: String) -> Bool {
        names.contains(name) || name.hasPrefix("LC_") || name.hasPrefix("XDG_") || GitVariable.isSetting(name)
            || name.lowercased().hasSuffix("_proxy")
    }

    /// What Kanmon sets itself counts as a place.
    private static func isPlace(_ name: String) -> Bool {
        places.contains(name) || name.hasPrefix("XDG_") || GitVariable.isCredential(name) || GitVariable.isOfHook(name)
    }

    private static let names = places.union(["LANG", "LANGUAGE", "TZ", "CI", "SSL_CERT_FILE", "SSL_CERT_DIR"])
    private static let places: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "SSH_AUTH_SOCK", "GIT_CEILING_DIRECTORIES",
        TestInvocation.manifestVariable,
    ]
}
