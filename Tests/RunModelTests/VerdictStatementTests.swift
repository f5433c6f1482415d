import Foundation
import RunModel
import TestSupport
import Testing

/// Questions for a verdict, and what answers them.
@Suite struct VerdictStatementTests {
    private static let tree = String(repeating: "41d0e77a", count: 5)
    private static let inputs = String(repeating: "0", count: 64)
    private static let question = VerdictQuestion(
        project: "example/video-kit", tree: tree, folder: "", inputs: inputs, nonce: "0123456789abcdef")

    @Test func `a question has the form of one`() {
        #expect(Self.question.isWellFormed)
        let changes: [(inout VerdictQuestion) -> Void] = [
            { $0.project = "" }, { $0.project = String(repeating: "p", count: 1025) }, { $0.tree = "HEAD" },
            { $0.tree = "" }, { $0.folder = String(repeating: "f", count: 4097) },
            { $0.tree = Self.tree.uppercased() }, { $0.inputs = "" }, { $0.inputs = Self.inputs + "0" },
            { $0.nonce = "" }, { $0.nonce = "0123456789abcdeg" }, { $0.nonce = String(repeating: "0", count: 65) },
        ]
        for change in changes {
            var question = Self.question
            change(&question)
            #expect(!question.isWellFormed, "\(question)")
        }
        var question = Self.question
        question.inputs = nil
        question.tree = String(repeating: "0", count: 64)
        #expect(question.isWellFormed)
    }

    @Test func `a statement answers its question alone, byte for byte`() {
        let statement = VerdictStatement(
            answering: Self.question, run: SampleRuns.id(1), manifest: Self.inputs, decision: "passed", exitStatus: 0,
            policy: Self.inputs, base: nil, trust: .ci, token: "ci", host: nil, build: nil,
            startedAt: SampleRuns.moment, answeredAt: SampleRuns.moment, passedTests: 1, failedTests: 0, lines: nil,
            page: "/runs/1")
        #expect(statement.answers(Self.question))
        let changes: [(inout VerdictQuestion) -> Void] = [
            { $0.project += "x" }, { $0.tree = "" }, { $0.folder = "App" }, { $0.inputs = nil }, { $0.nonce += "0" },
        ]
        for change in changes {
            var question = Self.question
            change(&question)
            #expect(!statement.answers(question))
        }
        var composed = statement
        composed.project = "\u{30AC}"
        var other = Self.question
        other.project = "\u{30AB}\u{3099}"
        #expect(!composed.answers(other))
    }

    @Test func `the trust in a run falls with that in its token, whatever it was`() {
        let exact = SampleRuns.passing().revision
        for isAttested in [true, false] {
            var record = DeliveryRecord(
                token: "t", isAttested: isAttested, receivedAt: SampleRuns.moment, address: nil)
            #expect(Trust(exact, record, isCurrent: true) == (isAttested ? .ci : .laptop))
            #expect(Trust(exact, record, isCurrent: false) == (isAttested ? .otherVersion : .laptop))
            record.distrust(at: SampleRuns.moment)
            record.distrust(at: SampleRuns.moment + 9)
            #expect(record.distrustedAt == SampleRuns.moment && !record.isAttested)
            for isCurrent in [true, false] {
                let trust = Trust(exact, record, isCurrent: isCurrent)
                #expect(trust == .distrusted && !trust.speaksForBranch && trust.doubt == "distrusted")
            }
        }
    }

    @Test func `evidence of another version makes no run trusted more`() {
        let exact = SampleRuns.passing().revision
        var copy = exact
        copy?.isDirty = true
        let found = [exact, nil, copy].map { Trust($0, nil, isCurrent: false) }
        #expect(found == [.otherVersion, .otherVersion, .workingCopy])
        #expect(found.map(\.speaksForBranch) == [false, false, false])
        #expect(Trust.otherVersion.doubt == "of another version")
    }
}
