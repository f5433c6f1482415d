public import RunModel

/// The stored run of the base, as far as later runs are compared with it.
public struct BaseRun: Sendable, Hashable, Codable {
    /// The identity of the run.
    public var id: RunID
    /// How every module stood.
    public var modules: [ModuleCoverage]
    /// The targets of the package.
    public var targets: [Module]
    /// The folders of the packages that it depended on by a path.
    public var localPackages: [String]
    /// The tests, those of one suite together.
    public var tests: [TestGroup]

    /// With how many arguments each parameterised test ran.
    public var arguments: [ArgumentCount]

    /// With how many arguments a test ran.
    public struct ArgumentCount: Sendable, Hashable, Codable {
        /// Which test.
        public var test: TestID
        /// How many there are, at least one.
        public var count: Int
    }

    /// The tests of one suite that ended in the same way.
    public struct TestGroup: Sendable, Hashable, Codable {
        /// The test target, as the compiler names it.
        public var module: String
        /// The suite; empty for free functions.
        public var suite: String
        /// How they ended.
        public var outcome: Outcome
        /// Their names; a name with a discriminator is followed by a line feed and that.
        public var names: [String]
    }

    package init(
        id: RunID, modules: [ModuleCoverage], targets: [Module], localPackages: [String] = [], tests: [TestResult]
    ) {
        self.id = id
        self.modules = modules
        self.targets = targets
        self.localPackages = localPackages
        self.arguments = tests.filter { !$0.arguments.isEmpty }
            .map { ArgumentCount(test: $0.id, count: $0.arguments.count) }
        self.tests = []
        for test in tests {
            let name = test.id.discriminator.isEmpty ? test.id.name : "\(test.id.name)\n\(test.id.discriminator)"
            // Tests come ordered by identity: those of one suite stand together.
            let last = self.tests.indices.suffix(Outcome.allCases.count).last {
                self.tests[$0].outcome == test.outcome && Name(self.tests[$0].suite) == Name(test.id.suite)
                    && Name(self.tests[$0].module) == Name(test.id.module)
            }
            if let last {
                self.tests[last].names.append(name)
            } else {
                self.tests.append(
                    TestGroup(module: test.id.module, suite: test.id.suite, outcome: test.outcome, names: [name]))
            }
        }
    }

    /// Makes the part that is kept of a stored run and its verdict.
    public init(_ run: TestRun, _ verdict: Verdict) {
        self.init(
            id: run.id, modules: verdict.modules, targets: run.modules,
            localPackages: run.localPackages.map(\.path), tests: run.tests)
    }

    /// How every test ended.
    var outcomes: [(id: TestID, outcome: Outcome)] {
        tests.flatMap { group in
            group.names.map { name in
                let parts = name.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                return (
                    TestID(
                        module: group.module, suite: group.suite, name: String(parts[0]),
                        discriminator: parts.count == 2 ? String(parts[1]) : ""
                    ), group.outcome
                )
            }
        }
    }
}
