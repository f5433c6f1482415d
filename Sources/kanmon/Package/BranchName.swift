import ArgumentParser

/// The name of a branch from the user or the variables of a CI server: untrusted, and only recorded.
struct BranchName: Sendable, Hashable {
    /// The name, without `refs/heads/`.
    let text: String

    /// Checks a name; `nil` for options, ranges and paths, and for names with blanks or control characters.
    init?(_ text: String) {
        guard !text.isEmpty, !text.hasPrefix("-"), !text.hasPrefix("/"), !text.hasSuffix("/"), !text.contains(".."),
            text.unicodeScalars.allSatisfy({ $0 != " " && $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }
}

extension BranchName: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension Surroundings {
    /// The branch in the variables of a CI server, which checks out a commit and no branch; `nil` if there is none.
    ///
    /// A tag is no branch. A pull request has the name that Jenkins or GitHub gives it, such as `PR-12`, because its
    /// source branch may be `main` of a fork.
    var builtBranch: BranchName? {
        let jenkins = ["BRANCH_NAME", "GIT_BRANCH"].map { environment[$0] }
        var names = environment["TAG_NAME"] == nil ? [jenkins[0], jenkins[1].flatMap(Self.withoutRemote)] : []
        if environment["GITHUB_REF_TYPE"] != "tag" { names.append(environment["GITHUB_REF_NAME"]) }
        names.append(environment["CI_COMMIT_BRANCH"])
        return names.compactMap { $0 }.compactMap { BranchName($0) }.first
    }

    /// Jenkins' branch name in a job of one branch: the remote comes before the name, and `detached` means no branch.
    private static func withoutRemote(_ name: String) -> String? {
        if name == "detached" { return nil }
        let remote = "origin/"
        return name.hasPrefix(remote) ? String(name.dropFirst(remote.count)) : name
    }
}
