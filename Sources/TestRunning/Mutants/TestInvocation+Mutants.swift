import RunModel
import TestResults

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
            commands.append((command(testBinary, [xctest.map(\.name).joined(separator: ",")], hearing), xctest))
        }
        if !swiftTesting.isEmpty {
            let arguments = ["--testing-library", "swift-testing"] + Self.filters(swiftTesting)
            commands.append((command(testBinary, arguments, hearing), swiftTesting))
        }
        return commands
    }

    /// What has assertions of the other library fail a test, as in any run; the exit status tells.
    private var hearing: [String: String] {
        var variables: [String: String] = [:]
        variables[Interop.variable] = interop.mode
        guard let libraries, interop.rule == .fail else { return variables }
        return variables.merging([
            "LD_PRELOAD": libraries.preload, "KANMON_OBSERVER_LIBRARY": libraries.observer,
            "KANMON_LISTENER_LIBRARY": libraries.listener, "KANMON_OBSERVER_RECORDS": "/dev/null",
        ]) { $1 }
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
