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

    /// Whether a variable is one of a person or session, which no compiler or linker reads. git puts its own folder at the front of
    /// PATH in hooks; SwiftPM takes compilers and linkers from the toolchain.
    private static func isOfSession(_ name: String) -> Bool {
        names.contains(name) || name.hasPrefix("LC_") || name.hasPrefix("XDG_") || name.lowercased().hasSuffix("_proxy")
    }

    private static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "CI", "SSH_AUTH_SOCK",
        "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_CEILING_DIRECTORIES", TestInvocation.manifestVariable,
    ]
}
