public import RunModel

/// The address of a remote without scheme, credentials, port and `.git`, as a name of the project.
///
/// `https://user:secret@host/a/b.git`, `git@host:a/b.git` and `ssh://git@host:22/a/b` all give `host/a/b`; a folder on
/// this machine gives its last component.
struct RemoteURL: Sendable, Hashable {
    let projectName: String
    /// Whether it is a folder, whose name alone does not say where it is.
    let isFolder: Bool
    /// The address of the repository's page, if the host has pages: `https`, without credentials. `nil` where nothing is
    /// encrypted, and for a folder.
    let page: String?

    /// Reads an address; `nil` if it gives no name.
    init?(_ address: String) {
        guard !address.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
        let name: String?
        if let scheme = address.firstRange(of: "://") {
            let rest = address[scheme.upperBound...]
            name = address[..<scheme.lowerBound].lowercased() == "file" ? Self.folder(rest) : Self.located(rest)
        } else if let colon = address.firstIndex(of: ":"), !address[..<colon].contains("/"),
            // `ext::program` names a helper program, not a place.
            address[colon...].dropFirst().first != ":"
        {
            name = Self.joined(host: address[..<colon], path: address[colon...].dropFirst())
        } else {
            name = address.contains("::") ? nil : Self.folder(address[...])
        }
        guard let name else { return nil }
        projectName = name
        // What has a host has a path below it.
        isFolder = !name.utf8.contains(UInt8(ascii: "/"))
        page = Self.page(of: address, named: name)
    }

    private static func page(of address: String, named name: String) -> String? {
        guard let scheme = address.firstRange(of: "://") else {
            // Of `git@host:a/b` and a folder, only the first has a colon in front.
            return address.prefix { $0 != "/" }.contains(":") ? "https://\(name)" : nil
        }
        switch address[..<scheme.lowerBound].lowercased() {
        // Its port is not that of the pages.
        case "ssh", "git+ssh": return "https://\(name)"
        case "https":
            let authority = address[scheme.upperBound...].prefix { $0 != "/" }
            let port = authority.lastIndex(of: ":").map { authority[$0...] } ?? ""
            guard port.count > 1, port != ":443", port.dropFirst().allSatisfy(\.isNumber) else {
                return "https://\(name)"
            }
            let slash = name.firstIndex(of: "/") ?? name.endIndex
            return "https://\(name[..<slash])\(port)\(name[slash...])"
        default: return nil
        }
    }

    private static func located(_ rest: Substring) -> String? {
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let path = rest[slash...].prefix { $0 != "?" && $0 != "#" }
        return joined(host: rest[..<slash], path: path)
    }

    private static func joined(host: Substring, path: Substring) -> String? {
        // The part before the last @ is credentials; the part after the last colon of a host is a port.
        var host = host.lastIndex(of: "@").map { host[$0...].dropFirst() } ?? host
        if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber) {
            host = host[..<colon]
        }
        let components = components(path)
        guard !host.isEmpty, !components.isEmpty else { return nil }
        return ([host.lowercased()] + components).joined(separator: "/")
    }

    private static func folder(_ path: Substring) -> String? {
        var components = components(path)
        if components.last == ".git" { components.removeLast() }
        return components.last
    }

    private static func components(_ path: Substring) -> [String] {
        let meaningless: Set<Substring> = [".", "..", "~"]
        var components: [String] = path.split(separator: "/").filter { !meaningless.contains($0) }.map { String($0) }
        if let last = components.last, last != ".git", last.hasSuffix(".git") {
            components[components.count - 1] = String(last.dropLast(4))
        }
        return components
    }
}

extension GitRepository {
    /// A name for the project that is the same in every clone: the address of `origin` and the package's path below
    /// it. Where `origin` is a folder, or there is none, the commit that the history began with is part of the name.
    ///
    /// - Parameters:
    ///   - packageSubpath: Where the package lies below the top of the work tree; empty for the top.
    ///   - packageName: What the manifest calls it; used when there is no `origin`, or none that gives a name.
    public func projectName(packageSubpath: String, packageName: String) async throws(GitError) -> String {
        let url = try await remote()
        var name = url?.projectName ?? packageName
        // Folders and packages that have nothing in common may have the same name.
        if url?.isFolder != false, let root = try await firstCommit() { name += Self.mark(ofHistoryFrom: root) }
        return packageSubpath.isEmpty ? name : name + "/" + packageSubpath
    }

    /// The part of a project's name that distinguishes it from others by the first commit of its history.
    public static func mark(ofHistoryFrom commit: ObjectID) -> String { "@\(commit.hexadecimal.prefix(12))" }

    /// The commit that the history of HEAD began with, along first parents; `nil` before the first commit.
    ///
    /// Where a clone is cut it is the commit at the cut: then the clone has a history of its own, and shares none that may be
    /// another's.
    private func firstCommit() async throws(GitError) -> ObjectID? {
        let answer = try await run(
            "rev-list", ["--max-parents=0", "--first-parent", "HEAD", "--"], scope: .objects)
        guard answer.status == 0 else { return nil }
        return ObjectID(bytes: answer.line)
    }

    /// The repository on the forge that `origin` names; `nil` if the name of the host does not show that it is a forge.
    public func forge() async throws(GitError) -> ForgeRepository? {
        try await remote()?.page.flatMap { ForgeRepository(url: $0) }
    }

    /// The address of `origin`; `nil` if there is none, or none that gives a name.
    private func remote() async throws(GitError) -> RemoteURL? {
        let answer =
            if let origin = known.origin { origin } else {
                try await run("config", ["-z", "--get", "remote.origin.url"])
            }
        known.origin = answer
        switch answer.status {
        case 0: return RemoteURL(String(decoding: answer.bytes.prefix { $0 != 0 }, as: UTF8.self))
        case 1: return nil
        default:
            throw .failed(command: "config", status: answer.status, message: answer.message)
        }
    }
}
