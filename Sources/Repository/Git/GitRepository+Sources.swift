import Foundation
import RunModel

extension GitRepository {
    /// The Swift sources of a package that a comparison with this side sees, by path in the package, with those behind links of the
    /// repository; a submodule is a path that ends with `/`.
    ///
    /// In a work tree these are the files that git checks, and new ones that it does not ignore. Files that git was told to assume
    /// unchanged or to skip are missing: nobody knows what lies there.
    ///
    /// - Parameter isOfAll: Whether files of all languages are meant, and not only Swift's.
    public func sources(
        of target: DiffTarget, package subpath: String, isOfAll: Bool = false
    ) async throws(GitError) -> [String] {
        var names: [GitName] = []
        switch target {
        case .tree(let tree):
            // `<mode> <type> <object>TAB<path>`
            let listing = try await run(
                "ls-tree", ["-r", "-z", "--full-tree", GitArgument(tree.hexadecimal)], scope: .objects
            ).checked("ls-tree")
            for entry in listing.bytes.split(separator: 0) {
                let parts = entry.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
                guard parts.count == 2 else { continue }
                names.append(Self.name(parts[1], isSubmodule: parts[0].starts(with: "160000 ".utf8)))
            }
        case .workingCopy:
            // `<flag> <mode> <object> <stage>TAB<path>`; `H` is an entry that git checks.
            let listing = try await run("ls-files", ["-v", "-z", "--stage", "--", ":/"]).checked("ls-files")
            for entry in listing.bytes.split(separator: 0) {
                let parts = entry.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
                guard parts.count == 2, parts[0].starts(with: "H ".utf8) else { continue }
                names.append(Self.name(parts[1], isSubmodule: parts[0].starts(with: "H 160000 ".utf8)))
            }
        }
        let files = names.map { FileDiff(basePath: $0, path: $0) }
        let images = TreeLink.images(of: files, behind: try await links(of: target)).compactMap(\.path)
        let prefix = subpath.isEmpty ? "" : subpath + "/"
        let paths = (names + images).compactMap { $0.dropping(prefix: prefix)?.text }
        let sources = paths.filter { isOfAll || $0.hasSuffix(".swift") || $0.hasSuffix("/") }
        return Set(sources.map(Name.init)).sorted().map(\.text)
    }

    private static func name(_ bytes: ArraySlice<UInt8>, isSubmodule: Bool) -> GitName {
        GitName(bytes: isSubmodule ? bytes + [UInt8(ascii: "/")] : bytes)
    }

    /// The unchanged lines of a changed Swift source whose context is another than at the base.
    ///
    /// If the file cannot be read, all of its lines.
    func exposed(in file: FileDiff, _ base: ObjectID, _ target: DiffTarget) async throws(GitError) -> [Range<Int>] {
        guard let old = file.basePath?.text, let new = file.path?.text, new.hasSuffix(".swift"), !file.isPlace,
            LineContexts.mayChange(file.hunks)
        else { return [] }
        let before = try await self.file(at: old, in: base)
        let after: [UInt8]? =
            switch target {
            case .tree(let tree): try await self.file(at: new, in: tree)
            case .workingCopy:
                workTree.flatMap { FileManager.default.contents(atPath: "\($0)/\(new)") }.map { Array($0) }
            }
        guard let before, let after else { return [1..<Int(Int32.max)] }
        let change = FileChange(path: new, basePath: old, changes: file.hunks.map(\.lines))
        return LineContexts.exposed(change, base: before, head: after)
    }
}
