import CodeCoverage
import Evidence
import Foundation
import RunModel

extension RunExecution {
    /// The largest size of an export.
    static let exportLimit = 512 << 20

    /// Reads the coverage without any tool; `false`, and without effect, if that is not certain to be correct.
    ///
    /// Cases in which llvm-cov silently omits something are left to llvm-cov, so a reading here is complete and of
    /// this build.
    mutating func read(
        _ invocation: TestInvocation, _ inventory: ProfileInventory, _ list: ObjectList
    ) async throws(RunnerError) -> Bool {
        let begin = clock.now
        let recorded = readRecords()
        guard
            let reading = CoverageReading.of(
                list.objects, profiles: inventory.usable, keepsFormulas: !recorded.isEmpty)
        else { return false }
        let export = reading.result.export
        let isWritten = try reading.result.withBytes { bytes throws(RunnerError) in
            guard bytes.count <= Self.exportLimit else { return false }
            let file = try TranscriptFile(path: files.coverageExport, capacity: .init(head: Self.exportLimit, tail: 0))
            file.append(bytes)
            return try file.finish() == 0
        }
        guard isWritten else { return false }
        progress(.began(.export))
        // To run the tools by hand; the profiles also stay until the next run.
        try write(list)
        instrumentedSources = list.sources(compiledTo: reading.mapped)
        self.export = export
        if let mapping = reading.mapping { try writeTestMap(of: recorded, mapping) }
        let duration = clock.now - begin
        coverage = CoverageProvenance(
            tools: (invocation.tools.llvmCov as NSString).deletingLastPathComponent, profiles: inventory.usable,
            objects: files.objectList, functions: export.functions.count, duration: duration)
        progress(.ended(.export, duration))
        try await nameFunctions(of: export, invocation)
        return true
    }
}
