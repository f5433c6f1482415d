import Foundation
import RunModel

/// What an answer of SwiftPM about a package depends on, whatever it is asked: names of what lies in the package's folder, of
/// variables, of programs. Of what is in the files only the manifests count, and the versions that are pinned.
///
/// What a manifest looks at by itself is none of it: one that can is evaluated first, and what it says is a variable of the command.
struct PackageKey: Sendable {
    /// The package's folder.
    var packageRoot: String
    /// What asks SwiftPM.
    var command: ChildCommand

    /// All of it as one hash; `nil` where it cannot be told without asking.
    func digest() -> String? {
        let folder = (command.executable as NSString).deletingLastPathComponent
        guard let programs = ToolchainCache.programs(of: command.executable, in: folder),
            let listing = FolderListing.names(inPackage: packageRoot)
        else { return nil }
        var hash = PiecewiseHash()
        for text in programs + command.words { hash.add(text.utf8) }
        let variables = command.environment
            .filter { entry in
                !Self.ofSession.contains(entry.key) && !GitVariable.isCredential(entry.key)
                    && !GitVariable.isOfHook(entry.key)
            }
            .map { "\($0.key)=\($0.value)" }
        for text in variables.sorted(by: { Name($0) < Name($1) }) { hash.add(text.utf8) }
        hash.add(listing)
        for name in listing.files.map({ String(decoding: $0.path, as: UTF8.self) }) where Self.isManifest(name) {
            guard let bytes = FileManager.default.contents(atPath: "\(packageRoot)/\(name)") else { return nil }
            hash.add(bytes)
        }
        return hash.hexadecimal
    }

    /// Variables that only tell one session of a person from the next.
    private static let ofSession: Set = ["TERM", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR"]

    private static func isManifest(_ name: String) -> Bool {
        !name.contains("/") && (name == ResolvedFile.fileName || name.hasPrefix("Package") && name.hasSuffix(".swift"))
    }
}

extension FolderListing {
    /// Lists the names in a package's folder, as SwiftPM finds sources by them: without hidden things, and without what
    /// tests that `swift test` ran drop there.
    static func names(inPackage folder: String) -> FolderListing? {
        FolderListing(folder) { path in
            path.lastComponent.first == UInt8(ascii: ".") || path.elementsEqual(StrayProfile.fileName.utf8)
        }
    }
}
