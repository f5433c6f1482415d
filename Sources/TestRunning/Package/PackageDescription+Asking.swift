import RunModel

extension PackageDescription {
    /// Asks SwiftPM about the package in a folder, outside of a run.
    public static func asking(
        packageRoot: String,
        scratchPath: String,
        parentEnvironment: [String: String],
        swiftOverride: String? = nil
    ) async throws(RunnerError) -> PackageDescription {
        let installation = try await ToolchainLocator(environment: parentEnvironment, swiftOverride: swiftOverride)
            .locate()
        let command = TestInvocation.describe(
            tools: installation.tools, packageRoot: packageRoot, scratchPath: scratchPath,
            environment: ChildEnvironment(parent: parentEnvironment, extra: []).buildVariables
        )
        let captured = CapturedOutput()
        let limits = Supervision.Limits(run: .seconds(120), silence: nil, grace: .seconds(5))
        let outcome = try await ChildProcess(command, limits: limits, mergesStreams: false).run(captured)
        guard outcome.termination.isSuccess else { throw .manifestInvalid(detail: captured.errorText) }
        return try PackageDescription(json: captured.output)
    }
}
