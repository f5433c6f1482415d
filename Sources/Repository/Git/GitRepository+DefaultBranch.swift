/// The default branch, as this clone knows it.
public struct DefaultBranch: Sendable, Hashable {
    /// The name for people, such as `origin/main`.
    public let name: String
    /// Its newest commit.
    public let tip: ObjectID
    /// Its name where it lives, without that of a remote.
    public let branch: String

    /// - Parameter branch: Its name where it lives, if that is not `name` without `origin/`.
    init(name: String, tip: ObjectID, branch: String? = nil) {
        self.name = name
        self.tip = tip
        let origin = "origin/"
        self.branch = branch ?? (name.hasPrefix(origin) ? String(name.dropFirst(origin.count)) : name)
    }
}

extension GitRepository {
    /// The default branch: the preferred one, else that of the remote, else `main` or `master`.
    ///
    /// The remote is `origin`, or the only one. Where branches of a remote are known a local branch is none of them, whatever it
    /// is called: it may contain the change itself.
    public func defaultBranch(preferring preferred: String? = nil) async throws(GitError) -> DefaultBranch? {
        let remotes = try await remotes()
        if let preferred, let branch = try await branch(named: preferred, remotes) { return branch }
        if workTree == nil, let branch = try await servedBranch() { return branch }
        return try await usualBranch(remotes)
    }

    /// The remotes that branches are known of, `origin` first.
    private func remotes() async throws(GitError) -> [String] {
        let known = try await run("for-each-ref", ["--format=%(refname)", "refs/remotes"]).checked("for-each-ref")
        guard !known.bytes.isEmpty else { return [] }
        let places = known.bytes.split(separator: UInt8(ascii: "\n")).compactMap {
            GitName(bytes: $0).dropping(prefix: "refs/remotes/")?.text
        }
        // A name of a remote may have slashes.
        let named = try await run("remote").checked("remote").bytes.split(separator: UInt8(ascii: "\n"))
            .compactMap { GitName(bytes: $0).text }
        var found: [String] = []
        for place in places {
            let remote =
                named.filter { place.hasPrefix("\($0)/") }.max { $0.utf8.count < $1.utf8.count }
                ?? place.split(separator: "/").first.map(String.init)
            if let remote, !found.contains(remote) { found.append(remote) }
        }
        return found.filter { $0 == "origin" } + found.filter { $0 != "origin" }
    }

    /// The default branch of the remote or the one with a usual name, the best first, found by one call.
    private func usualBranch(_ remotes: [String]) async throws(GitError) -> DefaultBranch? {
        let place: String
        switch remotes.first {
        case nil: place = "refs/heads/"
        case "origin"?: place = "refs/remotes/origin/"
        // With several remotes nobody here knows which one has the branch that the change is for.
        case let remote?: if remotes.count > 1 { return nil } else { place = "refs/remotes/\(remote)/" }
        }
        let names = (remotes.isEmpty ? [] : ["HEAD"]) + ["main", "master"]
        // Names contain no space. Only symbolic refs have a target.
        let answer = try await run(
            "for-each-ref",
            ["--format=%(refname) %(objecttype) %(objectname) %(symref)"] + names.map { GitArgument(place + $0) })
        var found: [String: DefaultBranch] = [:]
        for line in try answer.checked("for-each-ref").bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { GitName(bytes: $0).text }
            guard fields.count == 4, let reference = fields[0], let kind = fields[1], let link = fields[3] else {
                continue
            }
            let isHead = !remotes.isEmpty && reference == "\(place)HEAD"
            let target = isHead ? link : reference
            let named = fields[2].flatMap { ObjectID($0) }
            guard let tip = if kind == "commit" { named } else { try await commit(at: reference) } else { continue }
            if target.hasPrefix(place) {
                let branch = String(target.dropFirst(place.count))
                found[reference] = DefaultBranch(
                    name: remotes.isEmpty ? branch : "\(place.dropFirst("refs/remotes/".count))\(branch)", tip: tip,
                    branch: branch)
            }
        }
        return names.compactMap { found[place + $0] }.first
    }

    /// The HEAD branch of a server's repository.
    private func servedBranch() async throws(GitError) -> DefaultBranch? {
        guard let name = try await servedBranchName(), let tip = try await commit(at: "refs/heads/\(name)") else {
            return nil
        }
        return DefaultBranch(name: name, tip: tip, branch: name)
    }

    /// The name of the HEAD branch of the repository itself, also before its first commit: a linked work tree has a HEAD of its
    /// own. `nil` when it is detached.
    public func servedBranchName() async throws(GitError) -> String? {
        let head = try await run("symbolic-ref", ["--quiet", "main-worktree/HEAD"])
        if head.status == 1 { return nil }
        return GitName(bytes: try head.checked("symbolic-ref").line).dropping(prefix: "refs/heads/")?.text
    }

    private func branch(named name: String, _ remotes: [String]) async throws(GitError) -> DefaultBranch? {
        var found: [DefaultBranch] = []
        for remote in remotes {
            guard let tip = try await commit(at: "refs/remotes/\(remote)/\(name)") else { continue }
            found.append(DefaultBranch(name: "\(remote)/\(name)", tip: tip, branch: name))
            if remote == "origin" { break }
        }
        if !remotes.isEmpty, workTree != nil { return found.count == 1 ? found[0] : nil }
        return try await commit(at: "refs/heads/\(name)").map { DefaultBranch(name: name, tip: $0, branch: name) }
    }
}
