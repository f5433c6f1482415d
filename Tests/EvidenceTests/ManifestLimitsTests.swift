import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// What a manifest says that no run can have.
@Suite struct ManifestLimitsTests {
    private func decode(_ change: (inout RunManifest) -> Void) throws -> RunManifest {
        var manifest = RecordedRun().manifest([])
        change(&manifest)
        return try RunManifest.decoded(try manifest.encoded(), path: "m")
    }

    private func refusal(_ change: (inout RunManifest) -> Void) -> String? {
        do {
            _ = try decode(change)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static func artifact(_ path: String, _ bytes: Int = 0) -> Artifact {
        Artifact(role: .transcript, path: path, bytes: bytes, sha256: "")
    }

    private static func filter(_ manifest: inout RunManifest, _ patterns: [String], tests: [TestID]? = nil) {
        let arguments = ["swift", "test"] + patterns.flatMap { ["--filter", $0] }
        manifest.steps = [
            RunStep(kind: .test, arguments: arguments, duration: .seconds(1), termination: .exited(0))
        ]
        manifest.passes = [TestPass(reason: .first, tests: tests, steps: [0])]
    }

    private static let name = String(repeating: "n", count: 1024)

    private struct Lie: Sendable {
        let expected: String
        let tell: @Sendable (inout RunManifest) -> Void

        init(_ expected: String, _ tell: @escaping @Sendable (inout RunManifest) -> Void) {
            self.expected = expected
            self.tell = tell
        }
    }

    private static let lies = [
        Lie("package: 1025 bytes, the limit is 1024") { $0.package = name + "n" },
        Lie("modules.name: 'Core' is there twice") { manifest in
            let module = Module(
                name: "Core", compilerName: "Core", kind: .library, isSwift: true, path: "", sources: [],
                dependencies: [])
            manifest.modules = [module, module]
        },
        Lie("passes: 1001 of them, the limit is 1000") {
            $0.passes = Array(repeating: TestPass(reason: .retry, steps: []), count: 1001)
        },
        Lie("project: 1027 bytes, the limit is 1024") { $0.project = "日" + name },
        Lie("project: it is empty") { $0.project = "" },
        Lie("revision.author: 1025 bytes, the limit is 1024") { manifest in
            manifest.revision = Revision(commit: nil, tree: nil, branch: nil, isDirty: true)
            manifest.revision?.author = name + "n"
        },
        Lie("revision.subject: 1025 bytes, the limit is 1024") { manifest in
            manifest.revision = Revision(commit: nil, tree: nil, branch: nil, isDirty: true)
            manifest.revision?.subject = name + "n"
        },
        Lie("revision.commit: 1025 bytes, the limit is 1024") { manifest in
            manifest.revision = Revision(commit: name + "n", tree: nil, branch: nil, isDirty: true)
        },
        Lie("toolchain.swiftVersion: 1025 bytes, the limit is 1024") { $0.toolchain?.swiftVersion = name + "n" },
        Lie("kanmonVersion: 1025 bytes, the limit is 1024") { $0.kanmonVersion = name + "n" },
        Lie("machine.processor: 1025 bytes, the limit is 1024") {
            $0.machine = MachineClass(processor: name + "n", cores: 1)
        },
        Lie("modules.name: 1025 bytes, the limit is 1024") { manifest in
            manifest.modules = [
                Module(
                    name: name + "n", compilerName: "M", kind: .library, isSwift: true, path: "p", sources: [],
                    dependencies: [])
            ]
        },
        Lie("duration: -1 ns is not between 0 and 400 days") { $0.duration = .nanoseconds(-1) },
        Lie("steps.duration: 34646400000000000 ns is not between 0 and 400 days") { manifest in
            manifest.steps[0].duration = .seconds(401 * 86_400)
        },
        Lie("inputs: 262189 bytes, the limit is 262144") { manifest in
            manifest.inputs = RunInputs(
                platform: "p", dependencies: [String(repeating: "d", count: 262_160)], checkout: "", environment: "",
                settings: "")
        },
        Lie("artifacts.path: 'a/.Git/config' is no artifact") { $0.artifacts = [artifact("a/.Git/config")] },
        Lie("profiles: -5 is below 0") { $0.profiles = [0, -5] },
        Lie("jobs: 0 is below 1") { $0.jobs = 0 },
        Lie("toolchain: it is missing") { $0.toolchain = nil },
        Lie("machine.cores: -1 is below 0") { $0.machine = MachineClass(processor: "p", cores: -1) },
        Lie("origin.host: 1025 bytes, the limit is 1024") { $0.origin = RunHost(host: name + "n") },
        Lie("origin.build.job: 1025 bytes, the limit is 1024") {
            $0.origin = RunHost(host: nil, build: .init(url: nil, job: name + "n", node: nil))
        },
        Lie("origin.build.url: it is no plain http or https address") {
            $0.origin = RunHost(host: "h", build: .init(url: "javascript:alert(1)", job: nil, node: nil))
        },
        Lie("origin.repository.url: it is no plain https address of a repository") { manifest in
            manifest.origin = RunHost(host: "h", repository: ForgeRepository(url: "https://github.com/a/b"))
            manifest.origin?.repository?.url = "https://me:secret@github.com/a/b"
        },
        Lie("artifacts: 10001 of them, the limit is 10000") { manifest in
            manifest.artifacts = (0...10_000).map { artifact("\($0)") }
        },
        Lie("gaps: 10001 of them, the limit is 10000") { manifest in
            manifest.gaps = (0...10_000).map { Gap(.testsNotRun, detail: "\($0)") }
        },
        Lie("artifacts.bytes: -1 is below 0") { $0.artifacts = [artifact("a", -1)] },
        Lie("artifacts.bytes: 1099511627776 bytes, the limit is 536870912") { $0.artifacts = [artifact("a", 1 << 40)] },
        Lie("artifacts.path: 'a' is there twice") { $0.artifacts = [artifact("a"), artifact("a")] },
        Lie("artifacts.path: '../a' leads out of the run directory") { $0.artifacts = [artifact("../a")] },
        Lie("artifacts.path: '/etc/passwd' leads out of the run directory") {
            $0.artifacts = [artifact("/etc/passwd")]
        },
        Lie("artifacts.path: 'manifest.json' is no artifact") { $0.artifacts = [artifact("manifest.json")] },
        Lie("artifacts.path: 'sources/x' is no artifact") { $0.artifacts = [artifact("sources/x")] },
        Lie("steps.arguments: more than 100 filters for tests that are not recorded") { manifest in
            filter(&manifest, (0...100).map { "\($0)" })
        },
        Lie("steps.arguments: a filter of 1025 bytes, the limit is 1024") { filter(&$0, [name + "n"]) },
    ]

    @Test(arguments: lies.indices)
    func `names, counts, sizes, durations and paths have limits`(index: Int) {
        let lie = Self.lies[index]
        #expect(refusal(lie.tell) == "m: \(lie.expected)")
    }

    @Test func `the longest name is a name`() {
        let answer = refusal { $0.package = Self.name }
        #expect(answer == nil)
    }

    @Test func `a run that records its tests has a filter for each`() {
        let answer = refusal { Self.filter(&$0, (0..<1000).map { "\($0)" }, tests: []) }
        #expect(answer == nil)
    }

    @Test func `what a run itself found is cut rather than refused`() throws {
        let folder = try TemporaryFolder()
        var manifest = RecordedRun().manifest([])
        manifest.gaps = [Gap(.processLeaked, subject: "s", detail: String(repeating: "x", count: 1 << 20))]
        let directory = try RunDirectory.Writer(creating: "\(folder.path)/run").finish(manifest)
        let detail = try RunDirectory(path: directory.path).manifest().gaps[0].detail
        #expect(detail.contains("bytes left out"))
        #expect(detail.utf8.count < 200_000)
    }

    @Test func `credentials are not kept`() throws {
        let read = try decode { manifest in
            manifest.arguments = ["run", "--token", "s3cret"]
            manifest.steps[0].arguments = ["sh", "-c", "curl https://u:s3cret@host; A_TOKEN=s3cret x"]
            manifest.gaps = [Gap(.beforeFailed, detail: "https://u:s3cret@host")]
        }
        #expect(!String(decoding: try read.asWritten.encoded(), as: UTF8.self).contains("s3cret"))
        #expect(!"\(read)".contains("s3cret"))
        #expect(read.steps[0].arguments == ["sh", "-c", "curl https://***@host; A_TOKEN=*** x"])
        let folder = try TemporaryFolder()
        var manifest = RecordedRun().manifest([])
        manifest.arguments = ["https://u:s3cret@host"]
        let directory = try RunDirectory.Writer(creating: "\(folder.path)/run").finish(manifest)
        #expect(try directory.manifest().arguments == ["https://***@host"])
        #expect(!(try String(contentsOfFile: "\(directory.path)/manifest.json", encoding: .utf8)).contains("s3cret"))
    }

    /// Seconds from now.
    private static let plausible: [Double] = [0, 299, -86_000, -25 * 365 * 86_400]
    private static let implausible: [Double] = [301, 86_400, 8000 * 365 * 86_400, -27 * 365 * 86_400]

    @Test(arguments: plausible + implausible)
    func `a run begins between 2000 and now, on the day of its id`(offset: Double) {
        func isPlausible(_ manifest: RunManifest) -> Bool {
            (try? manifest.checkTime(now: SampleRuns.moment, path: "m")) != nil
        }
        var manifest = RecordedRun().manifest([])
        manifest.startedAt = SampleRuns.moment.addingTimeInterval(offset)
        manifest.id = RunID(milliseconds: UInt64(manifest.startedAt.timeIntervalSince1970 * 1000), random: (1, 1))
        #expect(isPlausible(manifest) == Self.plausible.contains(offset))
        manifest.id = RunID(milliseconds: manifest.id.milliseconds + 86_401_000, random: (1, 1))
        #expect(!isPlausible(manifest))
    }

    @Test func `an id gives its moment back`() {
        #expect(RunID(milliseconds: 1_767_323_045_678, random: (3, 4)).milliseconds == 1_767_323_045_678)
        #expect(RunID(milliseconds: 0xFFFF_FFFF_FFFF, random: (.max, .max)).milliseconds == 0xFFFF_FFFF_FFFF)
    }
}
