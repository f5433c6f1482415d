import Evidence
import RunModel

extension TestInvocation {
    /// Builds everything, tests included, without coverage.
    var buildOfMutants: ChildCommand {
        command(
            tools.swift, ["build", "--build-tests", "--disable-build-manifest-caching"] + package(at: packageRoot),
            buildVariables ?? [:])
    }

    /// Run the tests of a plan with whatever mutant is in effect: a process for each library.
    func testsOfMutants(_ plan: PassPlan) -> [(command: ChildCommand, tests: [DiscoveredTests.Entry])] {
        let xctest = plan.tests?.filter { $0.library == .xctest } ?? []
        let swiftTesting = plan.tests?.filter { $0.library == .swiftTesting } ?? []
        var commands: [(command: ChildCommand, tests: [DiscoveredTests.Entry])] = []
        if !xctest.isEmpty {
            commands.append((command(testBinary, [xctest.map(\.name).joined(separator: ",")]), xctest))
        }
        if !swiftTesting.isEmpty {
            let arguments = ["--testing-library", "swift-testing"] + Self.filters(swiftTesting)
            commands.append((command(testBinary, arguments), swiftTesting))
        }
        return commands
    }

    /// Prints the syntax tree of a source; needs no other source and no module.
    static func syntax(
        of file: String, version: String, tools: ToolPaths, packageRoot: String, environment: [String: String]
    ) -> ChildCommand {
        ChildCommand(
            executable: tools.swiftc,
            arguments: ["-frontend", "-dump-parse", "-dump-ast-format", "json", "-swift-version", version, file],
            environment: environment, workingDirectory: packageRoot)
    }
}
