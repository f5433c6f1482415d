import Demo
import Foundation
import Gate
import RunModel
import Testing

@Suite struct DemoHistoryTests {
    private static func runs(_ history: DemoHistory) throws -> [JudgedRun] {
        var runs: [JudgedRun] = []
        try history.forEach { judged, _ in runs.append(judged) }
        return runs
    }

    @Test func `the history is the same every time`() throws {
        let (first, second) = (try Self.runs(.videoKit), try Self.runs(.videoKit))
        #expect(first.map(\.run) == second.map(\.run))
        #expect(first.map(\.verdict) == second.map(\.verdict))
        #expect(first.last?.run.id.description == "019caceb-cae0-71c6-9d0a-dd790d3cabe2")
    }

    @Test func `it has a run of every kind that a history has`() throws {
        let runs = try Self.runs(.videoKit)
        var statuses: [Gate.ExitStatus: Int] = [:]
        for demo in runs { statuses[demo.verdict.exitStatus, default: 0] += 1 }
        // Changes 92 to 95 break a test, one of them on a branch.
        #expect(statuses == [.passed: 95, .testsFailed: 21, .gateFailed: 2, .buildFailed: 1, .undecided: 1])
        #expect(runs.count { $0.run.isPartial } == 1)
        #expect(runs.contains { $0.verdict.quarantine.contains { $0.isInForce } })
        #expect(runs.contains { $0.run.tests.contains(where: \.isFlaky) })
        #expect(runs.last?.verdict.base?.waivers.map(\.state) == [.standing])
        #expect(runs.last?.run.selection.disabledTargets == ["EndToEndTests"])
    }

    @Test func `one commit has no run of its own, and passes by a waiver that the run of its tree had not`() throws {
        let runs = try Self.runs(.videoKit) + Self.runs(.postcodes)
        let amended = runs.compactMap { judged in DemoKnownTree(amending: judged).map { (judged, $0) } }
        let (judged, known) = try #require(amended.first)
        #expect(amended.count == 1)
        #expect(judged.verdict.exitStatus == .gateFailed && known.verdict.exitStatus == .passed)
        #expect(known.revision.tree == judged.run.revision?.tree)
        #expect(known.revision.commit != judged.run.revision?.commit)
        #expect(known.verdict.base?.waivers.map(\.state) == [.standing, .used])
        let later = runs.filter { $0.run.startedAt > judged.run.startedAt && $0.run.project == judged.run.project }
        #expect(later.allSatisfy { $0.run.startedAt > known.judgedAt })
    }

    @Test func `what failed says whether it is new, red on the base already or flaky`() throws {
        let origins = try Self.runs(.videoKit).map { $0.verdict.failureOrigins.map(\.kind) }
        var codes: [String: Int] = [:]
        for kind in origins.joined() { codes[Self.code(kind), default: 0] += 1 }
        #expect(Set(codes.keys).isSuperset(of: ["new", "red"]))
        let red = try #require(origins.last).compactMap { kind -> FailureOrigin.FirstFailure? in
            if case .redOnBase(let since) = kind { since } else { nil }
        }
        #expect(red.contains { $0.isFirst && $0.commit != nil && $0.author != nil })
    }

    @Test func `the failures of one run have every cause that there is, each as it can be`() throws {
        let found = try Self.runs(.videoKit).filter { $0.verdict.causes != nil }
        #expect(found.count == 1)
        let judged = try #require(found.first)
        let causes = try #require(judged.verdict.causes).entries
        #expect(causes.map(\.test) == judged.run.failures.map(\.id))
        #expect(Set(causes.map(\.kind)) == Set(FailureCause.Kind.allCases) && causes.count == 8)
        #expect(judged.run.revision?.branch != "main" && judged.verdict.exitStatus == .testsFailed)
        for cause in causes where cause.kind != .flaky {
            let origin = try #require(judged.verdict.failureOrigins.first { $0.test == cause.test })
            #expect(Self.code(origin.kind) == (cause.kind == .broken ? "red" : "new"), "\(cause.test)")
        }
    }

    @Test func `a search finds the commit that broke the default branch`() throws {
        let line = try Self.runs(.videoKit).map(\.run).filter { run in
            run.revision?.branch == "main" && run.revision?.isExact == true && !run.isPartial
        }
        let culprit = try #require(Culprit(searchingIn: line))
        #expect(culprit.commit?.subject == "Decode thumbnails without width")
        #expect(culprit.bad == line.last?.revision?.commit)
        #expect(culprit.answers(culprit.test, lastPassedOn: culprit.good, failedOn: [culprit.bad]))
        #expect(Culprit(searchingIn: try Self.runs(.postcodes).map(\.run)) == nil)
    }

    private static func code(_ kind: FailureOrigin.Kind) -> String {
        switch kind {
        case .new, .newTest: "new"
        case .redOnBase: "red"
        case .flaky: "flaky"
        case .unknown: "unknown"
        }
    }

    @Test func `the small package is green throughout, in the order of time and before its clock`() throws {
        let runs = try Self.runs(.postcodes)
        #expect(Set(runs.map(\.verdict.exitStatus)) == [.passed])
        #expect(runs.map(\.run.id) == runs.map(\.run.id).sorted())
        #expect(runs.allSatisfy { $0.run.startedAt < DemoHistory.now })
    }

    @Test func `every line with coverage is a line of a kept source`() throws {
        try DemoHistory.videoKit.forEach { judged, sources in
            for file in judged.run.coverage?.files ?? [] {
                let source = try #require(sources.first { $0.path == file.path })
                let lines = source.bytes.count { $0 == UInt8(ascii: "\n") }
                #expect(file.lines.allSatisfy { (1...lines).contains(Int($0.line)) })
            }
        }
    }
}
