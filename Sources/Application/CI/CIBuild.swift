import RunModel

/// The build that this process is a part of, as the variables of a CI server tell: only recorded, nothing is decided by it.
package struct CIBuild: Sendable, Hashable {
    /// The branch that is built; `nil` for a tag, and where only the name of another branch is known.
    ///
    /// A pull request has a name by its number, such as `PR-12`, because its source branch may be `main` of a fork.
    package var branch: BranchName?
    /// The pull request or merge request; `nil` if the build is of none.
    var change: ChangeRequest?
    /// The page of the build, its job, and the machine.
    var build: RunHost.Build?
    /// The repository on a forge; `nil` where the variables do not tell it.
    var repository: ForgeRepository?

    /// A build of a branch, a tag or a change request.
    ///
    /// - Parameters:
    ///   - what: What is built, as the server says.
    ///   - build: The page of the build, its job, and the machine.
    ///   - repository: The repository on a forge.
    init(_ what: Subject, build: RunHost.Build?, repository: ForgeRepository? = nil) {
        self.build = build
        self.repository = repository
        switch what {
        case .branch(let name): branch = BranchName(name)
        case .change(let change, let prefix):
            self.change = change
            branch = BranchName("\(prefix)-\(change.number)")
        case .nameless: break
        }
    }

    /// What a build is of.
    enum Subject: Hashable {
        case branch(String)
        /// A change request, and what the number has before it in the name of its branch.
        case change(ChangeRequest, prefix: String)
        /// A tag, or a commit of which no branch is known.
        case nameless
    }

    /// The build in the variables of a process; `nil` outside of every CI server that is known.
    ///
    /// Jenkins is asked last: it has no variable that is always set and that no other server has.
    ///
    /// - Parameter readingFile: Gives the text of a file that a variable names; `nil` if it cannot be read.
    init?(_ environment: [String: String], readingFile: @escaping (String) -> String? = { _ in nil }) {
        let variables = CIVariables(environment)
        let readers: [(CIVariables) -> CIBuild?] = [
            CIBuild.named, { CIBuild.gitHub($0, readingFile: readingFile) }, CIBuild.gitLab, CIBuild.buildkite,
            CIBuild.circleCI, CIBuild.bitbucket, CIBuild.azure, CIBuild.woodpecker, CIBuild.drone,
            { CIBuild.teamCity($0, readingFile: readingFile) }, CIBuild.jenkins,
        ]
        for reader in readers {
            if let found = reader(variables) {
                self = found
                return
            }
        }
        return nil
    }
}

/// The variables of a CI server, untrusted: a value that no server sets is as good as none.
struct CIVariables: Sendable {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    /// The longest value that is recorded, in bytes, as manifests allow it.
    private static let longestValue = 1024

    /// A value; `nil` if it is not set, empty, too long, or has control characters.
    subscript(_ name: String) -> String? { Self.sound(environment[name]) }

    /// The first of several variables that has a value.
    func first(_ names: String...) -> String? { names.lazy.compactMap { self[$0] }.first }

    /// A value that is an address which may become a link.
    func address(_ names: String...) -> String? {
        names.lazy.compactMap { self[$0] }.first { RunHost.isPlainAddress($0) }
    }

    /// Whether a variable is `true`, as CI servers write it.
    func isTrue(_ name: String) -> Bool { environment[name]?.lowercased() == "true" }

    /// `text` if it may be recorded.
    static func sound(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= longestValue,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        return text
    }

    /// A number of a change request: digits only; `nil` for `false` and what else servers write for none.
    func number(_ names: String...) -> String? {
        names.lazy.compactMap { self[$0] }.first {
            $0.utf8.count <= 18 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// The name behind `refs/heads/`, or the name itself where nothing stands before it.
    static func withoutHeads(_ reference: String?) -> String? {
        reference.map { $0.hasPrefix("refs/heads/") ? String($0.dropFirst("refs/heads/".count)) : $0 }
    }
}
