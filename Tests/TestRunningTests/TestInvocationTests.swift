import Evidence
import RunModel
import TestResults
import Testing

@testable import TestRunning

@Suite struct TestInvocationTests {
    private let invocation = TestInvocation(
        tools: ToolPaths(directory: "/swift/bin"),
        packageRoot: "/home/ci/Pkg",
        scratchPath: "/cache/build",
        package: "Pkg",
        environment: ["PATH": "/bin"],
        files: RunFiles(evidence: "/runs/.1.partial", work: "/cache/build/kanmon"),
        libraries: PreloadLibraries(preload: "/cache/p.so", observer: "/cache/o.so", listener: "/cache/l.so")
    )

    private func command(
        _ executable: String, _ arguments: [String], _ additions: [String: String] = [:]
    ) -> ChildCommand {
        ChildCommand(
            executable: executable,
            arguments: arguments,
            environment: ["PATH": "/bin", "NO_COLOR": "1"].merging(additions) { $1 },
            workingDirectory: "/home/ci/Pkg",
            waitsForOutput: executable.hasSuffix("/swift")
        )
    }

    @Test func `what git is told reaches the build and no test`() {
        var invocation = invocation
        invocation.buildVariables = ["PATH": "/bin", "GIT_PASSWORD": "canary"]
        #expect(invocation.build.environment["GIT_PASSWORD"] == "canary")
        #expect(invocation.buildOfMutants.environment["GIT_PASSWORD"] == "canary")
        let tests =
            [invocation.listXCTest, invocation.listSwiftTesting] + Engine.allCases.flatMap { invocation.test($0) }
        #expect(!tests.contains { $0.environment["GIT_PASSWORD"] != nil })
    }

    @Test func `what is set last stands above all other variables`() {
        var invocation = invocation
        invocation.lastVariables = ["NO_COLOR": "0", TestInvocation.poolWidthVariable: "1"]
        for engine in Engine.allCases {
            for command in invocation.test(engine) {
                #expect(command.environment["NO_COLOR"] == "0")
                #expect(command.environment["KANMON_POOL_WIDTH"] == "1")
            }
        }
    }

    private let package = ["--package-path", "/home/ci/Pkg", "--scratch-path", "/cache/build"]
    private let events = [
        "--event-stream-output-path", "/runs/.1.partial/events.jsonl", "--event-stream-version", "6.3",
    ]
    private let attachments = ["--attachments-path", "/cache/build/kanmon/attachments/pass-1"]
    private let binary = "/cache/build/debug/PkgPackageTests.xctest"
    private func underTest(_ process: String) -> [String: String] {
        [
            "LLVM_PROFILE_FILE": "/cache/build/kanmon/profiles/\(process)/%2m.profraw",
            "SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1",
            "LD_PRELOAD": "/cache/p.so",
            "KANMON_LISTENER_LIBRARY": "/cache/l.so",
            "KANMON_OBSERVER_RECORDS": "/cache/build/kanmon/observer.jsonl",
            "KANMON_LIVE_PROFILES": "/cache/build/kanmon/profiles/\(process)",
        ]
    }
    private func observed(_ process: String) -> [String: String] {
        let records = [
            "KANMON_OBSERVER_LIBRARY": "/cache/o.so",
            "KANMON_TEST_RECORDS": "/cache/build/kanmon/test-records/\(process)",
        ]
        return underTest(process).merging(records) { $1 }
    }

    @Test func `SwiftPM is asked for its build system by name, where it has one by that name`() {
        var named = invocation
        named.buildSystem = .native
        let flag = ["--build-system", "native"]
        #expect(named.build.arguments == invocation.build.arguments + flag)
        #expect(named.buildOfMutants.arguments == invocation.buildOfMutants.arguments + flag)
        let words = named.test(.swiftTest)[0].arguments
        #expect(Array(words.prefix(8)) == ["test", "--skip-build"] + package + flag)
    }

    @Test func `a runner of Swift Build is asked like the one binary of SwiftPM's own build system`() {
        var built = invocation
        built.buildSystem = .swiftbuild
        #expect(
            built.findProducts
                == command(
                    "/swift/bin/swift", ["build", "--show-bin-path"] + package + ["--build-system", "swiftbuild"]))
        #expect(built.listXCTest(of: "/o/A-test-runner").words == ["/o/A-test-runner", "--dump-tests-json"])
        let plan = PassPlan(reason: .first, runner: "/o/A-test-runner")
        let ofOne = invocation.test(.direct)
        #expect(
            built.test(.direct, plan)
                == ofOne.map { one in
                    var one = one
                    one.executable = "/o/A-test-runner"
                    return one
                })
        #expect(ofOne.map(\.executable) == [binary, binary])
    }

    @Test func `traits, checks and flags reach every build, and traits the description`() {
        var chosen = invocation
        chosen.choice = BuildChoice(traits: ["Net", "defaults"], sanitizer: .thread, swiftFlags: ["-D", "SLOW"])
        let words = [
            "--traits", "Net,defaults", "--sanitize", "thread", "-Xswiftc", "-D", "-Xswiftc", "SLOW",
        ]
        #expect(chosen.build.arguments == invocation.build.arguments + words)
        #expect(chosen.buildOfMutants.arguments == invocation.buildOfMutants.arguments + words)
        #expect(Array(chosen.test(.swiftTest)[0].arguments.prefix(14)) == ["test", "--skip-build"] + package + words)
        let described = TestInvocation.describe(
            tools: chosen.tools, packageRoot: "/p", scratchPath: "/s", environment: [:], choice: chosen.choice)
        #expect(
            described.arguments == [
                "package", "--package-path", "/p", "--scratch-path", "/s", "--traits", "Net,defaults", "describe",
                "--type", "json",
            ])
    }

    @Test func `sanitizers report into files, whatever the user sets, and look for leaks only if the user wants that`()
    {
        var chosen = invocation
        chosen.choice.sanitizer = .thread
        chosen.environment["TSAN_OPTIONS"] = "log_path=/dev/null:exitcode=0"
        let reports = "print_summary=1:log_path='/cache/build/kanmon/sanitizer/pass-1-xctest'"
        #expect(
            chosen.test(.direct)[0].environment["TSAN_OPTIONS"]
                == "log_path=/dev/null:exitcode=0:exitcode=66:\(reports)")
        chosen.choice.sanitizer = .address
        #expect(chosen.test(.direct)[0].environment["ASAN_OPTIONS"] == "detect_leaks=0:\(reports)")
        #expect(invocation.test(.direct)[0].environment["ASAN_OPTIONS"] == nil)
    }

    @Test(arguments: [
        ("Swift version 6.3.1 (swift-6.3.1-RELEASE)", "6.3"), ("Swift version 6.4 (swift-6.4-RELEASE)", "6.4"),
        ("Apple Swift version 6.5-dev", "6.4"), ("Swift version 7.0", "6.4"), ("nonsense", "6.3"), ("", "6.3"),
    ])
    func `the event stream is asked for in the highest version that both sides know`(swift: String, version: String) {
        #expect(TestInvocation.streamVersion(ofSwift: swift) == version)
    }

    @Test func `the tests are told how the libraries work together, as swift test tells them`() {
        #expect(Interop.mode(toolsVersion: "6.4") == "complete")
        #expect(Interop.mode(toolsVersion: "7.0.1") == "complete")
        #expect([nil, "", "5.9", "6.3.1"].map { Interop.mode(toolsVersion: $0) } == [nil, nil, nil, nil])
        var told = invocation
        told.interop = Interop(rule: .swiftTest, mode: "complete")
        for command in told.test(.direct) {
            #expect(command.environment["SWIFT_TESTING_XCTEST_INTEROP_MODE"] == "complete")
            #expect(command.environment["KANMON_INTEROP"] == "swift-test")
        }
        #expect(invocation.test(.direct).allSatisfy { $0.environment["SWIFT_TESTING_XCTEST_INTEROP_MODE"] == nil })
    }

    @Test func `another mode than that of swift test is a gap, and so is none where swift test sets one`() {
        func gap(_ mode: String?, _ toolsVersion: String?) -> Gap? {
            Interop(rule: .fail, mode: mode).gap(toolsVersion: toolsVersion)
        }
        let variable = "SWIFT_TESTING_XCTEST_INTEROP_MODE"
        for version in [nil, "6.0", "6.3"] {
            #expect(gap(nil, version) == nil)
            #expect(
                gap("limited", version)
                    == Gap(
                        .interopMode, subject: "limited", detail: "\(variable) is limited; swift test does not set it"))
        }
        #expect(gap("complete", "6.4") == nil)
        #expect(
            gap("none", "6.4")
                == Gap(
                    .interopMode, subject: "none", detail: "\(variable) is none; swift test sets it to complete"))
        #expect(
            gap(nil, "6.4")
                == Gap(.interopMode, detail: "\(variable) is not set; swift test sets it to complete"))
    }

    @Test func `a package whose own main runs no Swift Testing has no process for it`() {
        var own = invocation
        own.runsSwiftTesting = false
        #expect(own.test(.direct) == [invocation.test(.direct)[0]])
        #expect(own.test(.swiftTest).first?.arguments.last == "--disable-swift-testing")
    }

    @Test func `describing names the scratch path before the subcommand`() {
        let describe = TestInvocation.describe(
            tools: invocation.tools, packageRoot: "/home/ci/Pkg", scratchPath: "/cache/build",
            environment: ["PATH": "/bin"]
        )
        #expect(describe == command("/swift/bin/swift", ["package"] + package + ["describe", "--type", "json"]))
    }

    @Test func `the build has coverage by atomic counters and leaves no profile of its own plugins`() {
        let atomic = ["-Xswiftc", "-Xllvm", "-Xswiftc", "-instrprof-atomic-counter-update-all"]
        #expect(
            invocation.build
                == command(
                    "/swift/bin/swift",
                    ["build", "--build-tests", "--enable-code-coverage", "--disable-build-manifest-caching"] + atomic
                        + package,
                    ["LLVM_PROFILE_FILE": "/dev/null"]
                )
        )
    }

    @Test func `swift test runs without the coverage flag and with our own profile`() {
        #expect(
            invocation.test(.swiftTest) == [
                command(
                    "/swift/bin/swift",
                    ["test", "--skip-build"] + package + ["--xunit-output", "/runs/.1.partial/xunit.xml"] + events
                        + attachments,
                    observed("swift-test")
                )
            ]
        )
    }

    @Test func `no variable of a pass names the run, so that SwiftPM knows the manifest from the run before`() {
        func environments(_ evidence: String, _ plan: PassPlan, passFolder: String?) -> [[String: String]] {
            var other = invocation
            other.files.evidence = evidence
            other.files.passFolder = passFolder
            return other.test(.swiftTest, plan).map(\.environment)
        }
        for folder in [nil, "pass-2"] {
            let first = environments("/runs/.1.partial", PassPlan(reason: .first), passFolder: folder)
            #expect(first == environments("/runs/.2.partial", PassPlan(reason: .first), passFolder: folder))
        }
    }

    @Test func `tests are asked for by expressions that find them and nothing else`() {
        let tests = [
            DiscoveredTests.Entry(id: TestID(module: "M", suite: "T", name: "a"), library: .xctest, name: "M.T/a"),
            DiscoveredTests.Entry(id: TestID(module: "M", suite: "T", name: "b"), library: .xctest, name: "M.T/b"),
            DiscoveredTests.Entry(
                id: TestID(module: "M", suite: "", name: "f(x:)"), library: .swiftTesting, name: "M.f(x:)/F.swift:1:2"),
        ]
        let some = invocation.test(.swiftTest, PassPlan(reason: .recovery, tests: tests, isSerial: true))
        #expect(
            some.map { Array($0.arguments.suffix(7)) } == [
                ["--filter", "^M\\.T/a$", "--filter", "^M\\.T/b$", "--filter", "^M\\.f\\(x:\\)/F\\.swift:1:2$"]
                    + ["--no-parallel"]
            ])
        let xctest = invocation.test(.swiftTest, PassPlan(reason: .retry, tests: [tests[0]]))
        #expect(xctest.map { $0.arguments.suffix(3) } == [["--filter", "^M\\.T/a$", "--disable-swift-testing"]])
        let direct = invocation.test(.direct, PassPlan(reason: .retry, tests: tests))
        #expect(direct.map(\.arguments.first) == ["M.T/a,M.T/b", "--testing-library"])
        #expect(direct[1].arguments.suffix(2) == ["--filter", "^M\\.f\\(x:\\)/F\\.swift:1:2$"])
        #expect(invocation.test(.direct, PassPlan(reason: .retry, tests: [tests[2]])).count == 1)
    }

    @Test func `all tests of a library need no names`() {
        let modern = DiscoveredTests.Entry(
            id: TestID(module: "M", suite: "", name: "f()"), library: .swiftTesting, name: "M.f()/F.swift:1:2")
        let classic = DiscoveredTests.Entry(
            id: TestID(module: "M", suite: "T", name: "a"), library: .xctest, name: "M.T/a")
        for (test, library) in [(classic, 0), (modern, 1)] {
            let plan = PassPlan(reason: .first, tests: [test], isWhole: true)
            #expect(invocation.test(.direct, plan) == [invocation.test(.direct)[library]])
        }
    }

    @Test func `each process of each pass has a folder of profiles of its own`() {
        var files = invocation.files
        #expect(files.profiles(of: "xctest") == "/cache/build/kanmon/profiles/xctest")
        files.passFolder = "pass-2"
        #expect(files.profiles(of: "xctest") == "/cache/build/kanmon/profiles/pass-2-xctest")
        let folders = invocation.test(.direct).map(TestInvocation.profileFolder)
        #expect(
            folders == ["/cache/build/kanmon/profiles/xctest", "/cache/build/kanmon/profiles/swift-testing"])
        #expect(TestInvocation.profileFolder(of: invocation.listXCTest) == nil)
    }

    @Test func `the direct engine starts the binary once for each library`() {
        let xunit = ["--xunit-output", "/runs/.1.partial/xunit-swift-testing.xml"]
        #expect(
            invocation.test(.direct) == [
                command(binary, [], observed("xctest")),
                command(
                    binary, ["--testing-library", "swift-testing"] + xunit + events + attachments,
                    underTest("swift-testing")),
            ]
        )
    }

    @Test func `without an observer nothing is preloaded`() {
        var invocation = invocation
        invocation.libraries = nil
        for command in invocation.test(.swiftTest) + invocation.test(.direct) {
            #expect(command.environment["LD_PRELOAD"] == nil)
            #expect(command.environment["KANMON_LIVE_PROFILES"] == nil)
        }
    }

    @Test func `where coverage is not wanted no counters are kept`() {
        var invocation = invocation
        invocation.isProfiled = false
        for command in invocation.test(.direct) {
            #expect(command.environment["LD_PRELOAD"] == "/cache/p.so")
            #expect(command.environment["KANMON_LIVE_PROFILES"] == nil)
            #expect(command.environment["LLVM_PROFILE_FILE"] == "/dev/null")
        }
    }

    @Test func `listing leaves no profile`() {
        let unprofiled = ["LLVM_PROFILE_FILE": "/dev/null"]
        #expect(invocation.listXCTest == command(binary, ["--dump-tests-json"], unprofiled))
        #expect(
            invocation.listSwiftTesting
                == command(
                    binary,
                    [
                        "--testing-library", "swift-testing", "--list-tests",
                        "--event-stream-output-path", "/runs/.1.partial/swift-testing-list.jsonl",
                        "--event-stream-version", "6.3",
                    ],
                    unprofiled
                )
        )
    }

    @Test func `merging leaves out what is damaged, and the tools of LLVM take memory in large pieces`() {
        let hugePages = ["GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1"]
        #expect(
            invocation.merge(["/p/1.profraw", "/p/2.profraw"])
                == command(
                    "/swift/bin/llvm-profdata",
                    [
                        "merge", "-sparse", "-failure-mode=all", "-o", "/cache/build/kanmon/merged.profdata",
                        "/p/1.profraw", "/p/2.profraw",
                    ],
                    hugePages
                )
        )
        #expect(
            invocation.export
                == command(
                    "/swift/bin/llvm-cov",
                    [
                        "export", "-format=text", "-num-threads=1",
                        "-instr-profile=/cache/build/kanmon/merged.profdata", "@/cache/build/kanmon/objects.rsp",
                    ],
                    hugePages
                )
        )
        #expect(
            invocation.inventory
                == command(
                    "/swift/bin/llvm-cov",
                    [
                        "export", "-format=text", "-num-threads=1", "-empty-profile", "-skip-functions",
                        "@/cache/build/kanmon/objects.rsp",
                    ],
                    hugePages
                )
        )
    }
}
