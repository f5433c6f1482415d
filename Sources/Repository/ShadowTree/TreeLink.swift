import Foundation

/// A symbolic link and its target within the repository, both relative to its top.
///
/// For a source behind a link, the compiler records the path of the link, and git the path of the file.
struct TreeLink: Sendable, Hashable {
    let path: GitName
    /// Other links in the path are followed.
    private(set) var target: GitName

    /// A link from its text; `nil` if it leads out of the repository, or to a folder that contains it.
    init?(_ path: GitName, text: [UInt8]) {
        var parts = path.bytes.split(separator: Self.slash).dropLast().map(Array.init)
        guard text.first != Self.slash else { return nil }
        for part in text.split(separator: Self.slash).map(Array.init) where part != Array(".".utf8) {
            if part != Array("..".utf8) {
                parts.append(part)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        self.path = path
        target = GitName(bytes: parts.joined(separator: [Self.slash]))
        guard !parts.isEmpty, self.place(of: path) == nil else { return nil }
    }

    /// Resolves links whose target is behind another link.
    static func resolved(_ links: [TreeLink]) -> [TreeLink] {
        links.map { link in
            var link = link
            // Limited, because links may form a circle.
            for _ in 0..<8 {
                let next = links.lazy.compactMap { other in
                    Self.moved(link.target, from: other.path, to: other.target)
                }.first
                guard let next else { break }
                link.target = next
            }
            return link
        }
    }

    /// The differences again under the paths of links, also of links in linked folders.
    static func images(of files: [FileDiff], behind links: [TreeLink]) -> [FileDiff] {
        var (found, latest): ([FileDiff], [FileDiff]) = ([], files)
        for _ in 0..<4 where !latest.isEmpty {
            latest = latest.flatMap { file in links.compactMap { $0.image(of: file) } }
            found += latest
        }
        return found
    }

    private func image(of file: FileDiff) -> FileDiff? {
        let (path, base) = (file.path.flatMap { place(of: $0) }, file.basePath.flatMap { place(of: $0) })
        guard path != nil || base != nil else { return nil }
        // The file may have been at another path before.
        var image = file
        (image.basePath, image.path) = (base ?? file.basePath, path)
        return image
    }

    /// The path of a file under the link; `nil` if it is not behind the link.
    private func place(of name: GitName) -> GitName? { Self.moved(name, from: target, to: path) }

    private static func moved(_ name: GitName, from old: GitName, to new: GitName) -> GitName? {
        guard name.bytes.starts(with: old.bytes) else { return nil }
        let rest = name.bytes.dropFirst(old.bytes.count)
        return rest.isEmpty || rest.first == slash ? GitName(bytes: new.bytes + rest) : nil
    }

    private static let slash = UInt8(ascii: "/")
}

extension GitRepository {
    /// The links of a tree, or of the given index, with their targets in the work tree.
    func links(
        of target: DiffTarget, adding variables: [String: String] = [:]
    ) async throws(GitError) -> [TreeLink] {
        let listing: GitOutput
        switch target {
        case .tree(let tree):
            listing = try await run(
                "ls-tree", ["-r", "-z", "--full-tree", GitArgument(tree.hexadecimal)], scope: .objects
            ).checked("ls-tree")
        case .workingCopy:
            listing = try await run("ls-files", ["-z", "--stage", "--", ":/"], scope: .objects, adding: variables)
                .checked("ls-files")
        }
        var links: [TreeLink] = []
        // `<mode> <type> <object>TAB<path>`, `<mode> <object> <stage>TAB<path>`
        for entry in listing.bytes.split(separator: 0) where entry.starts(with: "120000 ".utf8) {
            let parts = entry.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let path = GitName(bytes: parts[1])
            if let text = try await text(ofLinkAt: path, parts[0], target), let link = TreeLink(path, text: text) {
                links.append(link)
            }
        }
        return TreeLink.resolved(links)
    }

    /// The target of a link; `nil` if it is no link any more.
    private func text(
        ofLinkAt path: GitName, _ fields: ArraySlice<UInt8>, _ target: DiffTarget
    ) async throws(GitError) -> [UInt8]? {
        switch target {
        case .tree:
            guard let object = fields.split(separator: UInt8(ascii: " ")).last.flatMap({ ObjectID(bytes: $0) }) else {
                return nil
            }
            return try await run("cat-file", ["blob", GitArgument(object.hexadecimal)], scope: .objects)
                .checked("cat-file").bytes
        case .workingCopy:
            guard let workTree, let name = path.text else { return nil }
            let text = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(workTree)/\(name)")
            return text.map { Array($0.utf8) }
        }
    }
}
