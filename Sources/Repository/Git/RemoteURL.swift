/// The address of a remote without scheme, credentials, port and `.git`, as a name of the project.
///
/// `https://user:secret@host/a/b.git`, `git@host:a/b.git` and `ssh://git@host:22/a/b` all give `host/a/b`; a folder on
/// this machine gives its last component.
struct RemoteURL: Sendable, Hashable {
    let projectName: String

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
    /// it.
    ///
    /// - Parameters:
    ///   - packageSubpath: Where the package lies below the top of the work tree; empty for the top.
    ///   - packageName: What the manifest calls it; used when there is no `origin`, or none that gives a name.
    public func projectName(packageSubpath: String, packageName: String) async throws(GitError) -> String {
        let answer =
            if let origin = known.origin { origin } else {
                try await run("config", ["-z", "--get", "remote.origin.url"])
            }
        known.origin = answer
        switch answer.status {
        case 0:
            let address = String(decoding: answer.bytes.prefix { $0 != 0 }, as: UTF8.self)
            guard let url = RemoteURL(address) else { return packageName }
            return packageSubpath.isEmpty ? url.projectName : url.projectName + "/" + packageSubpath
        case 1:
            return packageName
        default:
            throw .failed(command: "config", status: answer.status, message: answer.message)
        }
    }
}
