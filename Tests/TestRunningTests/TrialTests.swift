import Evidence
import Foundation
import RunModel
import TestRunning
import TestSupport
import Testing

/// Tests of a package that are repeated for real.
@Suite(.slow, .serialized, .timeLimit(.minutes(20))) struct TrialTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func trial(_ trial: TrialRequest, of root: String) async throws -> TrialReport {
        let cache = FileManager.default.temporaryDirectory.appending(path: "kanmon-tests-\(getuid())").path
        return try await TestRunner().trial(
            RunRequest(
                package: TestedPackage(root: root, project: "sample"), scratchPath: "\(folder.path)/scratch",
                runDirectory: "\(folder.path)/trial", cacheDirectory: "\(cache)/kanmon", runID: SampleRuns.id(1),
                startedAt: SampleRuns.moment, arguments: ["run"], kanmonVersion: "test",
                parentEnvironment: ProcessInfo.processInfo.environment),
            trial
        ) { _ in }
    }

    private func test(_ name: String, in suite: String = "") -> TestID {
        TestID(module: suite.isEmpty ? "TrialsTests" : "GreetingTests", suite: suite, name: name)
    }

    @Test func `tests run alone and in company, and one that has failed is not repeated`() async throws {
        let tests = [
            test("testFails", in: "ClassicTests"), test("fails()", in: "ModernTests"),
            test("testPasses", in: "ClassicTests"),
        ]
        let skipped = test("testSkips", in: "ClassicTests")
        let gone = test("testGone", in: "ClassicTests")
        // Where one of two tests of a name is new, the other one gets a discriminator: it is not missing.
        let namesake = TestID(
            module: "GreetingTests", suite: "ClassicTests", name: "testPasses", discriminator: "Other.swift")
        let report = try await trial(
            TrialRequest(
                rounds: [
                    TrialRequest.Round(tests + [gone, namesake, tests[0]], .alone, repetitions: 2),
                    TrialRequest.Round([tests[1], skipped], .inCompany(of: nil), repetitions: 3, stop: .atFailure),
                    TrialRequest.Round(Array(tests.suffix(1)), .inCompany(of: [tests[0], gone])),
                    TrialRequest.Round(tests, .together, isOfFailing: true),
                ], budget: .seconds(120)),
            of: try SampleRun.copy("Failing", into: folder))
        #expect(report.obstacle == nil)
        #expect(report.missing == [gone])
        #expect(report.rounds.map(\.isComplete) == [true, true, true, true])
        #expect(report.rounds[0].entries.map(\.test) == tests)
        #expect(report.rounds[3].entries.map(\.test) == Array(tests.prefix(2)))
        let counted = report.rounds.map { $0.entries.map(\.tally) }
        #expect(
            counted == [
                [TrialTally(failed: 2), TrialTally(failed: 2), TrialTally(passed: 2)],
                [TrialTally(failed: 1), TrialTally(skipped: 3)],
                [TrialTally(passed: 1)],
                [TrialTally(failed: 1), TrialTally(failed: 1)],
            ])
        let failure = try #require(report.entry(of: tests[0], inRound: 0)?.firstFailure)
        #expect(failure.outcome == .failed)
        #expect(failure.issues.map { $0.location?.line } == [6])
        #expect(failure.issues.allSatisfy { $0.message.contains("wrong name") })
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/trial"))
    }

    @Test func `a round has its own variables, crashes are counted, and what is not reached is told`() async throws {
        _ = try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Trials", targets: [.testTarget(name: "TrialsTests")])

            """, to: "Trials/Package.swift")
        _ = try folder.write(
            """
            import Foundation
            import Testing

            @Test func alternates() throws {
                let file = try #require(ProcessInfo.processInfo.environment["TRIAL_FILE"])
                if FileManager.default.fileExists(atPath: file) {
                    try FileManager.default.removeItem(atPath: file)
                } else {
                    try Data().write(to: URL(filePath: file))
                    Issue.record("an odd time")
                }
            }

            @Test func crashes() { fatalError("on purpose") }

            """, to: "Trials/Tests/TrialsTests/TrialsTests.swift")
        let (alternates, crashes) = (test("alternates()"), test("crashes()"))
        let root = "\(folder.path)/Trials"
        let report = try await trial(
            TrialRequest(
                rounds: [
                    TrialRequest.Round(
                        [alternates], .together, repetitions: 9, stop: .atDisagreement,
                        variables: ["TRIAL_FILE": "\(folder.path)/odd"]),
                    TrialRequest.Round([crashes], .alone, repetitions: 2),
                    TrialRequest.Round([alternates], .alone),
                ], budget: .seconds(120)),
            of: root)
        #expect(
            report.rounds.map { $0.entries.map(\.tally) } == [
                [TrialTally(passed: 1, failed: 1)], [TrialTally(crashed: 2)], [TrialTally(failed: 1)],
            ])
        let odd = report.entry(of: alternates, inRound: 0)?.firstFailure?.issues.map(\.message) ?? []
        #expect(odd.count == 1)
        #expect(odd.allSatisfy { $0.contains("an odd time") })
        let hurried = try await trial(
            TrialRequest(rounds: [TrialRequest.Round([crashes], .alone)], budget: .zero), of: root)
        #expect(hurried.rounds.map(\.isComplete) == [false])
        #expect(hurried.rounds.map { $0.entries.map(\.tally) } == [[TrialTally()]])
        _ = try folder.write("nonsense", to: "Trials/Tests/TrialsTests/Broken.swift")
        let broken = try await trial(
            TrialRequest(rounds: [TrialRequest.Round([crashes], .alone)], budget: .seconds(1)), of: root)
        guard case .notBuilt(let lines) = broken.obstacle else {
            Testing.Issue.record("\(String(describing: broken.obstacle))")
            return
        }
        #expect(lines.contains("Broken.swift"))
        #expect(broken.rounds == [])
    }

    @Test func `a round with an empty home finds nothing that tests have left in that of the user`() async throws {
        _ = try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Trials", targets: [.testTarget(name: "TrialsTests")])

            """, to: "Trials/Package.swift")
        _ = try folder.write(
            """
            import Foundation
            import Testing

            @Test func findsNothing() throws {
                let names = ["HOME", "CFFIXED_USER_HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_BIN_HOME", "TMP"]
                var marks = try names.map { try #require(ProcessInfo.processInfo.environment[$0]) + "/mark" }
                // Foundation asks for another variable than HOME.
                marks.append(FileManager.default.homeDirectoryForCurrentUser.path + "/mark")
                for mark in marks { #expect(!FileManager.default.fileExists(atPath: mark), "there is \\(mark)") }
                for mark in marks { try Data().write(to: URL(filePath: mark)) }
            }

            """, to: "Trials/Tests/TrialsTests/TrialsTests.swift")
        _ = try folder.write("", to: "left/mark")
        let left = "\(folder.path)/left"
        let names = ["HOME", "CFFIXED_USER_HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_BIN_HOME", "TMP"]
        let variables = Dictionary(names.map { ($0, left) }) { first, _ in first }
        let finds = test("findsNothing()")
        let report = try await trial(
            TrialRequest(
                rounds: [
                    TrialRequest.Round([finds], .alone, variables: variables),
                    TrialRequest.Round(
                        [finds], .inCompany(of: nil), repetitions: 2, variables: variables, hasEmptyHome: true),
                ], budget: .seconds(120)),
            of: "\(folder.path)/Trials")
        #expect(
            report.rounds.map { $0.entries.map(\.tally) } == [[TrialTally(failed: 1)], [TrialTally(passed: 2)]])
    }

    /// What was seen while a run went on.
    private actor Seen {
        var tallies: [TrialTally] = []

        func take(_ report: TrialReport?) { tallies = (report?.rounds ?? []).flatMap(\.entries).map(\.tally) }
    }

    @Test func `tests are repeated before the scripts that clean up, and the run keeps nothing of it`() async throws {
        let service = "\(folder.path)/service"
        _ = try folder.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Trials", targets: [.testTarget(name: "TrialsTests")])

            """, to: "Trials/Package.swift")
        _ = try folder.write(
            """
            import Foundation
            import Testing

            @Test func needs() {
                #expect(!FileManager.default.fileExists(atPath: "\(service)"), "it is there")
            }

            """, to: "Trials/Tests/TrialsTests/TrialsTests.swift")
        let cache = FileManager.default.temporaryDirectory.appending(path: "kanmon-tests-\(getuid())").path
        var request = RunRequest(
            package: TestedPackage(root: "\(folder.path)/Trials", project: "sample"),
            options: RunOptions(
                before: [RunScript(words: ["/bin/touch", service])], after: [RunScript(words: ["/bin/rm", service])]),
            scratchPath: "\(folder.path)/scratch", runDirectory: "\(folder.path)/run",
            cacheDirectory: "\(cache)/kanmon", runID: SampleRuns.id(1), startedAt: SampleRuns.moment,
            arguments: ["run"], kanmonVersion: "test", parentEnvironment: ProcessInfo.processInfo.environment)
        let (needs, seen) = (test("needs()"), Seen())
        request.filesOnFailure = { failed in
            let round = TrialRequest.Round([needs], .alone, repetitions: 2)
            await seen.take(try? await failed.trial(TrialRequest(rounds: [round], budget: .seconds(60))))
            return [GivenFile(role: .causes, fileName: "causes.json", bytes: Data("{}".utf8))]
        }
        let directory = try await TestRunner().run(request) { _ in }
        let manifest = try directory.manifest()
        #expect(await seen.tallies == [TrialTally(failed: 2)])
        #expect(!FileManager.default.fileExists(atPath: service))
        #expect(manifest.artifacts.filter { $0.role == .causes }.map(\.path) == ["causes.json"])
        #expect(manifest.passes?.count == 1)
        #expect(!manifest.gaps.contains { $0.code == .interrupted })
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.filter { $0.hasPrefix("pass-") } == [])
        // What cannot be kept costs no run.
        request.runDirectory = "\(folder.path)/another"
        request.filesOnFailure = { _ in
            [GivenFile(role: .causes, fileName: "../causes.json", bytes: Data("{}".utf8))]
        }
        let other = try await TestRunner().run(request) { _ in }
        #expect(try other.manifest().artifacts.filter { $0.role == .causes } == [])
    }
}
