import Evidence
import RunModel
import Testing

@Suite struct CompletenessTests {
    private func good() throws -> RecordedRun {
        try SwiftTestingReconciliationTests.recorded("direct-st-good", .exited(0))
    }

    @Test func `a complete run has neither gaps nor notes`() throws {
        let run = try good().read()
        #expect(run.gaps == [])
        #expect(run.notes == [])
        #expect(run.outcomes[.passed] == 12)
    }

    @Test func `an exit status that contradicts the results is a gap`() throws {
        var recorded = try good()
        recorded.termination = .exited(1)
        #expect(
            try recorded.read().gaps == [
                Gap(.exitContradictsResults, detail: "the tests exited with 1, though none of them failed")
            ]
        )
        var failing = try SwiftTestingReconciliationTests.recorded("time-limit-exceeded", .exited(0))
        #expect(
            try failing.read().gaps == [
                Gap(.exitContradictsResults, detail: "the tests exited with 0, though some of them failed")
            ]
        )
        failing.termination = .exited(1)
        #expect(try failing.read().gaps == [])
    }

    @Test func `no tests is the only gap of a package without any`() throws {
        let run = try RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.noSwiftTests),
                (.eventStream, RecordedRun.noSwiftTests),
            ], termination: .exited(1)
        ).read()
        #expect(run.gaps == [Gap(.noTests, detail: "there are no tests")])
        #expect(run.notes == [])
    }

    @Test func `nothing at all is never complete`() throws {
        let gaps = try RecordedRun().read().gaps
        #expect(gaps.map(\.code) == [.listUnavailable, .listUnavailable, .noTests])
        #expect(gaps.last?.detail == "no library left a result; the tests exited with 0")
    }

    @Test(arguments: [Termination.exited(0), .exited(1)])
    func `local packages with code are noted, even if the build failed`(build: Termination) throws {
        var recorded = RecordedRun(buildTermination: build)
        recorded.localPackages = [
            LocalPackage(path: "../Kit", modules: nil), LocalPackage(path: "Plugins", modules: []),
            LocalPackage(path: "Vendor/UI", modules: ["A", "B"]),
        ]
        let run = try recorded.read()
        #expect(run.localPackages == recorded.localPackages)
        #expect(
            run.notes.filter { $0.code == .localPackageNotMeasured } == [
                Note(
                    .localPackageNotMeasured, subject: "../Kit",
                    detail: "not measured: all of it; SwiftPM does not list its modules"),
                Note(.localPackageNotMeasured, subject: "Vendor/UI", detail: "not measured: A, B"),
            ])
    }

    @Test func `a library that says it has no tests has no list to miss`() throws {
        var recorded = RecordedRun(
            artifacts: [(.xctestList, RecordedRun.xctestList()), (.eventStream, RecordedRun.noSwiftTests)],
            termination: .exited(1)
        )
        let listing = ["P.xctest", "--testing-library", "swift-testing", "--list-tests"]
        #expect(try recorded.read().notes.map(\.code) == [.listUnavailable])
        recorded.listing = RunStep(
            kind: .list, arguments: listing, duration: .zero, termination: .exited(1), wasTimedOut: false)
        #expect(try recorded.read().notes.map(\.code) == [.listUnavailable])
        recorded.listing?.termination = .exited(69)
        #expect(try recorded.read().notes == [])
        #expect(try recorded.read().gaps == [Gap(.noTests, detail: "there are no tests")])
    }

    @Test func `a listed test without a result is a gap`() throws {
        var recorded = try good()
        recorded.artifacts[0].bytes = RecordedRun.xctestList(("CoreTests.GoodTests", ["testA", "testB"]))
        #expect(
            try recorded.read().gaps == [
                Gap(.testsNotRun, detail: "2 of 2 tests have no result, the first is CoreTests.GoodTests/testA")
            ]
        )
    }

    @Test func `a result of a test that is not listed is a gap`() throws {
        var recorded = try good()
        recorded.artifacts[1].bytes = RecordedRun.noSwiftTests
        let gaps = try recorded.read().gaps
        #expect(
            gaps == [
                Gap(
                    .listMismatch,
                    detail: "15 results are of tests not listed, the first is MixedTests.MixedGoodSuite/mixedST()"
                )
            ]
        )
    }

    @Test func `a filtered run expects what it selected`() throws {
        var recorded = try good()
        recorded.artifacts[1].bytes = try Fixture.recorded("direct-st-list/events.jsonl")
        recorded.artifacts[0].bytes = try Fixture.recorded("direct-xctest-dump-json/stdout.txt")
        #expect(try recorded.read().gaps.map(\.code) == [.testsNotRun, .testsNotRun])
        recorded.arguments = ["swift", "test", "--filter", "GoodSuite"]
        #expect(try recorded.read().gaps == [])
    }

    @Test func `a failed build has no riddles`() throws {
        let run = try RecordedRun(
            buildTermination: .exited(1), gaps: [Gap(.processLeaked, subject: "sleep", detail: "1")]
        ).read()
        #expect(run.buildFailed)
        #expect(run.gaps == [Gap(.processLeaked, subject: "sleep", detail: "1")])
    }

    @Test func `a build system that failed itself leaves no riddles, and the build did not fail`() throws {
        let fault = Gap(.buildSystemFailed, subject: "swiftbuild", detail: "signal 11 ended Swift Build")
        let run = try RecordedRun(buildTermination: .signaled(11), gaps: [fault]).read()
        #expect(!run.buildFailed)
        #expect(run.gaps == [fault])
    }

    @Test func `a script that failed before the tests leaves no riddles either`() throws {
        let failure = Gap(.beforeFailed, subject: "scripts/generate.sh", detail: "it exited with status 7")
        let run = try RecordedRun(gaps: [failure]).read()
        #expect(run.gaps == [failure])
        #expect(run.tests == [])
    }

    @Test func `a run that was ended before its tests has no other gap`() throws {
        let end = Gap(.interrupted, detail: "after 1 s")
        let run = try RecordedRun(startsTests: false, gaps: [end]).read()
        #expect(run.gaps == [end])
        #expect(try RecordedRun(startsTests: false).read().gaps.map(\.code).contains(.testsNotRun))
    }

    @Test(arguments: [Engine.swiftTest, .direct])
    func `a build that hangs leaves no list, whatever the engine`(engine: Engine) throws {
        let late = Gap(.timedOut, subject: "the build", detail: "it was ended after 25 s")
        let run = try RecordedRun(engine: engine, startsTests: false, gaps: [late]).read()
        #expect(run.gaps.map(\.code) == [.timedOut, .listUnavailable, .listUnavailable])
    }

    @Test func `an empty profile is a gap unless a crash explains it`() throws {
        var recorded = try good()
        recorded.profiles = [0, 4096]
        #expect(try recorded.read().gaps == [Gap(.profileEmpty, detail: "1 of 2 profiles is empty")])
        var crashed = try SwiftTestingReconciliationTests.recorded("crash-st-CrashSuite", .exited(1))
        crashed.profiles = [0]
        let run = try crashed.read()
        #expect(run.gaps.map(\.code) == [.testsNotRun])
        #expect(run.notes == [Note(.profileEmpty, detail: "1 of 1 profiles is empty")])
    }

    @Test func `a crash of the last test leaves no gap`() throws {
        var recorded = try SwiftTestingReconciliationTests.recorded("crash-st-CrashSuite", .exited(1))
        for index in [1, 2] {
            let lines = recorded.artifacts[index].bytes.split(separator: 0x0A)
            let name = Array("d_after".utf8)
            let kept = lines.filter { line in
                !line.indices.contains { line[$0...].starts(with: name) }
            }
            recorded.artifacts[index].bytes = Array(kept.joined(separator: [0x0A])) + [0x0A]
        }
        let run = try recorded.read()
        #expect(run.tests.map(\.outcome) == [.passed, .failed, .crashed])
        #expect(run.gaps == [])
    }

    @Test func `two reports that disagree about a test are a gap`() throws {
        var recorded = try good()
        let xml = """
            <testsuites><testsuite name="TestResults" errors="0" tests="1" failures="1">
            <testcase classname="UtilTests.GoodSuite" name="plain()" time="0.1"><failure message="no" /></testcase>
            <testcase classname="UtilTests.GoodSuite" name="other()" time="0.1" />
            </testsuite></testsuites>
            """
        recorded.artifacts.append((.xunit, Array(xml.utf8)))
        #expect(
            try recorded.read().gaps == [
                Gap(
                    .resultsContradict, subject: "UtilTests.GoodSuite/plain()",
                    detail: "3-xunit says failed, the test's own records say passed"
                ),
                Gap(
                    .listMismatch, subject: "3-xunit",
                    detail: "it holds UtilTests.GoodSuite/other(), which no other source knows"
                ),
            ]
        )
    }

    @Test func `names that differ in normalization only are two tests`() throws {
        let names = ["が", "か\u{3099}"]
        func record(_ name: String) -> String {
            #"{"kind":"test","payload":{"id":"M.S/\#(name)()/F.swift:1:2","kind":"function","name":"\#(name)()"},"version":0}"#
        }
        func event(_ kind: String, _ name: String, _ time: Int) -> String {
            #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"M.S/\#(name)()/F.swift:1:2","instant":{"absolute":\#(time)}},"version":0}"#
        }
        let lines =
            names.map(record) + [#"{"kind":"event","payload":{"kind":"runStarted"},"version":0}"#]
            + names.flatMap { [event("testStarted", $0, 1), event("testEnded", $0, 2)] }
            + [#"{"kind":"event","payload":{"kind":"runEnded"},"version":0}"#]
        let events = Array((lines.joined(separator: "\n") + "\n").utf8)
        let run = try RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.listing(events)),
                (.eventStream, events),
            ]
        ).read()
        #expect(run.tests.map { Array($0.id.name.utf8) } == names.reversed().map { Array("\($0)()".utf8) })
        #expect(run.gaps == [])
    }

    @Test func `tests with the same name are distinguished by file, then by order`() throws {
        let ids = ["M.S/f()/A.swift:9:2", "M.S/f()/A.swift:1:2", "M.S/f()/B.swift:1:2", "M.S/g()/B.swift:3:2"]
        let lines = ids.map { #"{"kind":"test","payload":{"id":"\#($0)","kind":"function","name":"f"},"version":0}"# }
        let events = Array((lines.joined(separator: "\n") + "\n").utf8)
        let run = try RecordedRun(artifacts: [(.swiftTestingList, events), (.eventStream, events)]).read()
        #expect(run.tests.map(\.id.discriminator) == ["A.swift", "A.swift#2", "B.swift", ""])
    }

    /// Two tests of one name of which xUnit says that one failed.
    private func twins(failing: Bool) throws -> TestRun {
        let ids = ["M.S/f()/A.swift:1:2", "M.S/f()/B.swift:1:2"]
        func event(_ kind: String, _ id: String? = nil) -> String {
            let test = id.map { #","testID":"\#($0)""# } ?? ""
            return #"{"kind":"event","payload":{"kind":"\#(kind)"\#(test)},"version":0}"#
        }
        var lines = ids.map {
            #"{"kind":"test","payload":{"id":"\#($0)","kind":"function","name":"f()"},"version":0}"#
        }
        lines += [event("runStarted"), event("testStarted", ids[0]), event("testEnded", ids[0])]
        lines.append(event("testStarted", ids[1]))
        if failing { lines.append(event("issueRecorded", ids[1])) }
        lines += [event("testEnded", ids[1]), event("runEnded")]
        let events = Array((lines.joined(separator: "\n") + "\n").utf8)
        let cases = ["/>", "><failure message='no'/></testcase>"].map { "<testcase classname='M.S' name='f()'\($0)" }
        let xml = "<testsuites><testsuite name='TestResults'>\(cases.joined())</testsuite></testsuites>"
        return try RecordedRun(
            artifacts: [
                (.xctestList, RecordedRun.xctestList()), (.swiftTestingList, RecordedRun.listing(events)),
                (.eventStream, events), (.xunit, Array(xml.utf8)),
            ], termination: .exited(failing ? 1 : 0)
        ).read()
    }

    @Test func `a failure that xUnit has of two tests of one name is that of one of them`() throws {
        let hidden = try twins(failing: false)
        #expect(hidden.outcomes[.passed] == 2)
        #expect(hidden.gaps.map(\.code) == [.resultsContradict])
        #expect(hidden.gaps.map(\.detail) == ["3-xunit says failed, the test's own records say passed"])
        let told = try twins(failing: true)
        #expect(told.outcomes[.failed] == 1)
        #expect(told.gaps == [])
    }
}
