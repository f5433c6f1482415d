import CodeCoverage
import Foundation
import RunModel

extension RunExecution {
    /// Checks an export while its objects still exist.
    ///
    /// - Parameter functions: The number of compiled functions; `nil` if unknown.
    mutating func inspectExport(_ invocation: TestInvocation, compiled functions: Int?) async throws(RunnerError) {
        let bytes = try onFileSystem("read", files.coverageExport) {
            Array(try Data(contentsOf: URL(filePath: files.coverageExport)))
        }
        // CodeCoverage reports faults of the export.
        guard let export = CoverageExport(orNil: bytes) else { return }
        self.export = export
        // Every function of an export was compiled, so equal numbers mean that none is missing.
        if export.functions.count != functions { try await proveFreshness(of: export, invocation) }
        try await nameFunctions(of: export, invocation)
    }

    /// A gap for every file with compiled functions that the profile lacks: it is of another build.
    private mutating func proveFreshness(
        of export: CoverageExport, _ invocation: TestInvocation
    ) async throws(RunnerError) {
        let captured = CapturedOutput(limit: 512 << 20)
        let outcome = try await step(.inventory, invocation.inventory, limit: Self.toolLimit, captured)
        if outcome.cause == .cancelled { return }
        let isWhole = outcome.termination.isSuccess && !captured.isCut
        guard isWhole, let inventory = CoverageExport(orNil: Array(captured.output)) else {
            let detail = "it cannot be proven that the profile is of this build: "
            gaps.append(
                Gap(
                    .coverageStale,
                    detail: detail + CoverageComplaints.summary(captured.errorText, outcome.termination)))
            return
        }
        let root = request.package.root + "/"
        for mismatch in export.mismatches(against: inventory) {
            let path = mismatch.path.hasPrefix(root) ? String(mismatch.path.dropFirst(root.count)) : mismatch.path
            let detail =
                "\(mismatch.functions) of the \(mismatch.all) functions that were compiled are not in the coverage: "
                + "the profile is of another build"
            gaps.append(Gap(.coverageStale, subject: path, detail: detail))
        }
    }

    /// Demangles the names of the functions, in one process.
    ///
    /// No verdict depends on it. Without a demangler, functions are named by their symbols.
    mutating func nameFunctions(
        of export: CoverageExport, _ invocation: TestInvocation
    ) async throws(RunnerError) {
        let symbols = export.symbols
        guard !symbols.isEmpty, FileManager.default.isExecutableFile(atPath: invocation.tools.swiftDemangle) else {
            return
        }
        let list = ResponseFile.data(symbols)
        try onFileSystem("write", files.symbolList) { try list.write(to: URL(filePath: files.symbolList)) }
        let captured = CapturedOutput()
        let outcome = try await step(.demangle, invocation.demangling, limit: Self.toolLimit, captured)
        guard outcome.termination.isSuccess, !captured.isCut,
            let names = FunctionNames(symbols: symbols, demangled: String(decoding: captured.output, as: UTF8.self))
        else { return }
        let text = Data(names.bytes)
        try onFileSystem("write", files.functionNames) { try text.write(to: URL(filePath: files.functionNames)) }
    }
}
