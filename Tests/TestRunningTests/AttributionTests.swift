import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

/// Real packages that lie in one repository, each below its top, one of them also behind a symbolic link.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct AttributionTests {
    private func coverage(_ package: String) async throws -> (coverage: Coverage, gaps: [Gap]) {
        let run = try await SampleRun("Attribution/\(package)")
        let read = try TestRun.read(from: RunDirectory(path: run.directory))
        return (try #require(read.coverage), read.gaps)
    }

    private func words(_ files: [FileCoverage]) -> [String] {
        files.map {
            "\($0.module) \($0.path) \($0.lineTally.covered)/\($0.lineTally.total) "
                + "f\($0.functions.covered)/\($0.functions.total)"
        }
    }

    @Test(arguments: ["one", "link"])
    func `a custom path counts, what plugins, macros and the build make does not`(package: String) async throws {
        let (coverage, gaps) = try await coverage(package)
        #expect(gaps == [])
        // Of the accessors that the macro makes there is no line and no function.
        #expect(words(coverage.files) == ["Core Code/Core/Car.swift 5/5 f3/3"])
        let others = coverage.unattributed.map { file in
            "\(file.kind) \(file.path.split(separator: "/").last ?? "") \(file.lines.covered)/\(file.lines.total)"
        }
        // The tool is run by a plugin alone, so it is listed and not judged.
        #expect(
            others.sorted() == [
                "generated Made.swift 3/3", "generated resource_bundle_accessor.swift 0/13",
                "notMeasured main.swift 0/2",
            ])
    }

    @Test func `another package of the repository with a target of the same name has its own files only`() async throws
    {
        let (coverage, gaps) = try await coverage("two")
        #expect(gaps == [])
        #expect(words(coverage.files) == ["Core Sources/Core/Core.swift 3/3 f1/1"])
        #expect(coverage.unattributed == [])
        // x < 0 ? 0 : shared(x), of which the 0 was not executed.
        #expect(coverage.files[0].unexecuted?.parts == [MissedPart(line: 5, start: 13, end: 14)])
    }
}
