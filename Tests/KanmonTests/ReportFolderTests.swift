import Foundation
import TestSupport
import Testing

@testable import kanmon

@Suite struct ReportFolderTests {
    @Test func `a folder of reports in a checkout leaves it as clean as it was`() async throws {
        let folder = try TestFolder()
        try await folder.git("init", "--quiet")
        // The second wipes what the first has made.
        for number in 1...2 {
            try ReportFolder("\(folder.work)/ci-out").fill(of: SampleRuns.id(number)) { put in
                try put(ReportFile("html/\(number).html", "page"))
            }
            let names = try FileManager.default.subpathsOfDirectory(atPath: "\(folder.work)/ci-out").sorted()
            #expect(names == [".gitignore", ".kanmon-reports", "html", "html/\(number).html"])
            #expect(try await folder.git("status", "--porcelain") == "")
        }
    }
}
