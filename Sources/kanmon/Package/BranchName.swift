import ArgumentParser

/// The name of a branch as a person or the variables of a CI server give it: untrusted, and only for the record of a run.
struct BranchName: Sendable, Hashable {
    /// The name, without `refs/heads/`.
    let text: String

    /// Takes a name; `nil` for what git would take for an option, a range or a path, and for what holds blanks or controls.
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
    /// The branch that a CI server says it builds, where it checks out a commit and no branch; `nil` where none says so.
    ///
    /// A tag is no branch. A pull request is what Jenkins or GitHub calls it, such as `PR-12`. The branch it comes from may be one of a fork, and
    /// be called `main` there.
    var builtBranch: BranchName? {
        let jenkins = ["BRANCH_NAME", "GIT_BRANCH"].map { environment[$0] }
        var names = environment["TAG_NAME"] == nil ? [jenkins[0], jenkins[1].flatMap(Self.withoutRemote)] : []
        if environment["GITHUB_REF_TYPE"] != "tag" { names.append(environment["GITHUB_REF_NAME"]) }
        names.append(environment["CI_COMMIT_BRANCH"])
        return names.compactMap { $0 }.compactMap { BranchName($0) }.first
    }

    /// What Jenkins says in a job of one branch: the remote comes before the name, and `detached` stands for no branch.
    private static func withoutRemote(_ name: String) -> String? {
        if name == "detached" { return nil }
        let remote = "origin/"
        return name.hasPrefix(remote) ? String(name.dropFirst(remote.count)) : name
    }
}
