import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// More than an export may have, whoever makes it.
    static let exportLimit = 512 << 20

    /// Reads the coverage without any tool; `false` where that cannot be done for sure, and nothing has happened then.
    ///
    /// What llvm-cov leaves out without a word is left to llvm-cov: so whatever is read here is of this build, and whole.
    mutating func read(
        _ invocation: TestInvocation, _ inventory: ProfileInventory, _ list: ObjectList
    ) async throws(RunnerError) -> Bool {
        let begin = clock.now
        guard let reading = CoverageReading.of(list.objects, profiles: inventory.usable) else { return false }
        let export = reading.result.export
        let isWritten = try reading.result.withBytes { bytes throws(RunnerError) in
            guard bytes.count <= Self.exportLimit else { return false }
            let file = try TranscriptFile(path: files.coverageExport, capacity: .init(head: Self.exportLimit, tail: 0))
            file.append(bytes)
            return try file.finish() == 0
        }
        guard isWritten else { return false }
        progress(.began(.export))
        // For whoever wants to ask the tools all the same; the profiles stay until the next run, too.
        try write(list)
        instrumentedSources = list.sources(compiledTo: reading.mapped)
        self.export = export
        let duration = clock.now - begin
        coverage = CoverageProvenance(
            tools: (invocation.tools.llvmCov as NSString).deletingLastPathComponent, profiles: inventory.usable,
            objects: files.objectList, functions: export.functions.count, duration: duration)
        progress(.ended(.export, duration))
        try await nameFunctions(of: export, invocation)
        return true
    }
}
