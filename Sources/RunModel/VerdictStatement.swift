public import struct Foundation.Date

/// The question of a machine to a server whether it knows a verdict on a tree, so that the tests need not run again.
public struct VerdictQuestion: Sendable, Hashable {
    /// The project.
    public var project: String
    /// The tree, full hexadecimal.
    public var tree: String
    /// The package's folder below the top of the tree; empty for the top itself.
    public var folder: String
    /// The SHA-256 of everything else that the outcome depends on; `nil` where any full run of the tree will do.
    public var inputs: String?
    /// Random hexadecimal digits, which the answer repeats: no older answer can be taken for it.
    public var nonce: String

    package init(project: String, tree: String, folder: String, inputs: String?, nonce: String) {
        self.project = project
        self.tree = tree
        self.folder = folder
        self.inputs = inputs
        self.nonce = nonce
    }

    /// Whether every part is well-formed: a project of 1 to 1024 bytes, a tree of 40 or 64 digits, a folder of at most 4096 bytes,
    /// inputs of 64 digits, a nonce of 16 to 64.
    public var isWellFormed: Bool {
        (1...1024).contains(project.utf8.count) && folder.utf8.count <= 4096 && [40, 64].contains(tree.utf8.count)
            && Self.isHexadecimal(tree)
            && inputs.map { $0.utf8.count == 64 && Self.isHexadecimal($0) } ?? true
            && (16...64).contains(nonce.utf8.count) && Self.isHexadecimal(nonce)
    }

    private static func isHexadecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
}

/// The statement of a server about a tree: the run that answers for it, the verdict, and where both come from.
public struct VerdictStatement: Sendable, Hashable, Codable {
    /// What the run was compared with.
    public struct Base: Sendable, Hashable, Codable {
        /// The commit, full hexadecimal.
        public var commit: String
        /// Whether it has no commit in common with the run's.
        public var isUnrelated: Bool
        /// Whether a stored run of it was there to compare with.
        public var hasRun: Bool

        package init(commit: String, isUnrelated: Bool, hasRun: Bool) {
            (self.commit, self.isUnrelated, self.hasRun) = (commit, isUnrelated, hasRun)
        }
    }

    /// The version of this format.
    public var schemaVersion = 1
    /// The project that was requested.
    public var project: String
    /// The tree that was requested.
    public var tree: String
    /// The folder of the package that was requested.
    public var folder: String
    /// The inputs that were requested.
    public var inputs: String?
    /// The nonce of the question.
    public var nonce: String
    /// The run.
    public var run: RunID
    /// The SHA-256 of its manifest, which names every file of its evidence by hash.
    public var manifest: String
    /// The decision of the server's gate: `passed` or `failed`.
    public var decision: String
    /// The exit status for that decision: 0, 1 or 2.
    public var exitStatus: Int32
    /// The SHA-256 of the policy that it was judged by.
    public var policy: String
    /// What it was compared with; `nil` if there was nothing.
    public var base: Base?
    /// How far the server trusts the run.
    public var trust: Trust
    /// The name of the token that it was delivered with; `nil` for a run made on the server itself.
    public var token: String?
    /// The machine that made it; `nil` if unknown.
    public var host: String?
    /// The address of the build that made it; `nil` outside of CI.
    public var build: String?
    /// When it began; whole seconds.
    public var startedAt: Date
    /// When the server answered; whole seconds.
    public var answeredAt: Date
    /// How many tests passed.
    public var passedTests: Int
    /// How many tests failed or crashed.
    public var failedTests: Int
    /// The lines of all measured modules; `nil` without coverage.
    public var lines: CoverageTally?
    /// The address of its page, relative to the server's.
    public var page: String

    package init(
        answering question: VerdictQuestion, run: RunID, manifest: String, decision: String, exitStatus: Int32,
        policy: String, base: Base?, trust: Trust, token: String?, host: String?, build: String?, startedAt: Date,
        answeredAt: Date, passedTests: Int, failedTests: Int, lines: CoverageTally?, page: String
    ) {
        project = question.project
        tree = question.tree
        folder = question.folder
        inputs = question.inputs
        nonce = question.nonce
        self.run = run
        self.manifest = manifest
        self.decision = decision
        self.exitStatus = exitStatus
        self.policy = policy
        self.base = base
        self.trust = trust
        self.token = token
        self.host = host
        self.build = build
        self.startedAt = Date(timeIntervalSince1970: startedAt.timeIntervalSince1970.rounded(.down))
        self.answeredAt = Date(timeIntervalSince1970: answeredAt.timeIntervalSince1970.rounded(.down))
        self.passedTests = passedTests
        self.failedTests = failedTests
        self.lines = lines
        self.page = page
    }
}

extension VerdictStatement {
    /// Whether it answers a question, byte for byte.
    public func answers(_ question: VerdictQuestion) -> Bool {
        Name(project) == Name(question.project) && Name(tree) == Name(question.tree)
            && Name(folder) == Name(question.folder)
            && inputs.map(Name.init) == question.inputs.map(Name.init) && Name(nonce) == Name(question.nonce)
    }
}

/// A statement as it travels: its text, and a signature over exactly these bytes.
public struct SignedStatement: Sendable, Hashable, Codable {
    /// A `VerdictStatement` as JSON.
    public var statement: String
    /// The id of the key that signed it.
    public var key: String
    /// The Ed25519 signature of the text's bytes, in base 64.
    public var signature: String

    package init(statement: String, key: String, signature: String) {
        (self.statement, self.key, self.signature) = (statement, key, signature)
    }
}

/// The answer to `GET /api/v1/verdicts`.
public struct VerdictReply: Sendable, Hashable, Codable {
    /// The verdict; `nil` where the server knows none.
    public var verdict: SignedStatement?

    package init(_ verdict: SignedStatement?) { self.verdict = verdict }
}
