import Testing

@testable import TestRunning

@Suite struct SanitizerReportTests {
    @Test func `the summary of each report is kept once, with paths of the package`() {
        let text = """
            ==================
            WARNING: ThreadSanitizer: Swift access race (pid=13697)
              Modifying access of Swift variable at 0x720800000630 by thread T5:
                #0 race() /home/ci/Kit/Sources/Core/Core.swift (KitPackageTests.xctest+0x106fe9)
            SUMMARY: ThreadSanitizer: Swift access race /home/ci/Kit/Sources/Core/Core.swift in race()
            ==================
            SUMMARY: ThreadSanitizer: data race /home/ci/Kit/Sources/Core/Core.swift:6:83 in race()
            SUMMARY: ThreadSanitizer: data race /home/ci/Kit/Sources/Core/Core.swift:6:83 in race()
            ThreadSanitizer: reported 3 warnings
            """
        #expect(
            SanitizerReport(text, packageRoot: "/home/ci/Kit").findings == [
                "ThreadSanitizer: Swift access race Sources/Core/Core.swift in race()",
                "ThreadSanitizer: data race Sources/Core/Core.swift:6:83 in race()",
            ])
    }

    @Test func `a report that was cut short is one by its first words, and a remark is none`() {
        let cut = "\n=====\n==14776==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\nREAD of size"
        #expect(
            SanitizerReport(cut, packageRoot: "/p").findings == [
                "==14776==ERROR: AddressSanitizer: heap-use-after-free on address 0x1"
            ])
        let remark = """
            ==7==WARNING: ASan is ignoring requested __asan_handle_no_return: stack type: default top: 0x7
            False positive error reports may follow
            For details see https://github.com/google/sanitizers/issues/189
            """
        #expect(SanitizerReport(remark, packageRoot: "/p").findings == [])
        #expect(SanitizerReport("", packageRoot: "/p").findings == [])
    }
}
