import Evidence
public import Foundation
public import RunModel

/// The result of building a package for a run on another machine.
public struct BuildReport: Sendable, Hashable {
    /// The folder with the products.
    public var scratchPath: String
    /// Whether everything was built.
    public var isBuilt: Bool
    /// Why not, if the compiler is not the reason.
    public var gaps: [Gap]
    /// The output of the build.
    public var log: Data
}

extension RunExecution {
    /// Builds the same as a run, and records the inputs.
    mutating func products() async throws(RunnerError) -> BuildReport {
        _ = try wantedTree()
        try refuseSwiftBuild()
        let installation = try await toolchain()
        let isBuilt = try await amongScripts { (run, isPrepared) throws(RunnerError) in
            guard isPrepared, !run.isCancelled else { return false }
            let (package, invocation) = try await run.prepare(installation)
            await run.compareWithTree(package.modules)
            let tree = try run.wantedTree()
            guard try await run.build(invocation, package.modules) else { return false }
            // Generated files are inputs too.
            try run.builtProducts(package, installation, invocation, tree).write()
            return true
        }
        if isCancelled { throw .interrupted }
        return BuildReport(
            scratchPath: request.scratchPath, isBuilt: isBuilt, gaps: gaps,
            log: FileManager.default.contents(atPath: files.buildLog) ?? Data())
    }

    /// Builds the products, or uses existing ones if the run asks for that.
    mutating func haveProducts(
        _ package: PackageDescription, _ installation: ToolchainInstallation, _ invocation: TestInvocation
    ) async throws(RunnerError) -> Bool {
        guard request.skipsBuild else { return try await build(invocation, package.modules) }
        try refuseSwiftBuild()
        guard let found = BuiltProducts.read(in: request.scratchPath) else {
            throw unusable("there is no record of 'kanmon build' there")
        }
        let wanted = try builtProducts(package, installation, invocation, wantedTree())
        if let reason = found.difference(from: wanted) { throw unusable(reason) }
        givenBinary = wanted.testBinary
        notes.append(Note(.buildSkipped, detail: invocation.testBinary))
        return true
    }

    /// Products of Swift Build lie in folders that no record speaks of.
    private func refuseSwiftBuild() throws(RunnerError) {
        guard request.options.buildSystem == .native else {
            throw unusable(
                "build.system is \(request.options.buildSystem.rawValue), whose products no run elsewhere can use")
        }
    }

    private func unusable(_ reason: String) -> RunnerError {
        .productsUnusable(path: request.scratchPath, reason: reason)
    }

    /// The tree of the files in the package's folder.
    private func wantedTree() throws(RunnerError) -> String {
        guard let tree = revision?.tree else {
            let reason = notes.last { $0.code == .treeNotExact || $0.code == .treeChanged }.map { ": \($0.detail)" }
            throw unusable(
                "the files here are not exactly those of a commit, so products cannot be assigned to it\(reason ?? "")")
        }
        return tree
    }

    private func builtProducts(
        _ package: PackageDescription, _ installation: ToolchainInstallation, _ invocation: TestInvocation,
        _ tree: String
    ) throws(RunnerError) -> BuiltProducts {
        guard FileManager.default.fileExists(atPath: invocation.testBinary) else {
            throw unusable("there is no test binary")
        }
        return BuiltProducts(
            packageRoot: request.package.root, scratchPath: request.scratchPath, swift: installation.tools.swift,
            toolchain: installation.toolchain, tree: tree,
            inputs: try BuiltProducts.inputs(of: package, in: request.package.root),
            testBinary: try BuiltProducts.hash(of: invocation.testBinary),
            products: try BuiltProducts.products(in: (invocation.testBinary as NSString).deletingLastPathComponent))
    }
}
