import Gate
import RunModel
import Wording

extension JSONReport {
    /// The base and everything that weakens the gate compared with it.
    struct Base: Hashable, Encodable {
        let commit: String
        let kind: String
        let name: String
        let run: String?
        let notJudged: [String]
        let changes: [Change]
        let waivers: [WaiverRow]
        let waiverFaults: [Fault]
        let floors: [Floor]
        let judgedAgainAt: String?
        let others: [Base]?

        init(_ review: BaseReview) {
            commit = review.commit.commit
            kind = review.commit.kind.rawValue
            name = review.commit.name
            run = review.run?.description
            notJudged = review.notJudged.map(\.rawValue)
            changes = review.changes.map(Change.init)
            waivers = review.waivers.map { WaiverRow($0.waiver, state: $0.state, suggestion: $0.suggestion) }
            waiverFaults = review.faults.map(Fault.init)
            floors = review.floors.map(Floor.init)
            judgedAgainAt = review.judgedAgainAt.map(Timestamp.utc)
            others = review.others.map { $0.map(Base.init) }
        }
    }

    /// A gate change; with a waiver it passes.
    struct Change: Hashable, Encodable {
        let code: String
        let subject: String
        let metric: String?
        let before: String
        let after: String
        let items: [String]
        let basePlace: String?
        let place: String?
        let meaning: String
        let waiver: WaiverRow?

        init(_ change: GateChange) {
            code = change.code.rawValue
            subject = change.subject
            metric = change.metric?.rawValue
            before = change.before
            after = change.after
            items = change.items
            basePlace = change.basePlace
            place = change.place
            meaning = change.code.meaning
            waiver = change.waiver.map { WaiverRow($0, state: .used) }
        }
    }

    struct WaiverRow: Hashable, Encodable {
        let subject: String
        let until: String
        let reason: String
        let commit: String
        let line: Int
        let state: String
        let suggestion: String?

        init(_ waiver: Waiver, state: WaiverStatus.State, suggestion: String? = nil) {
            subject = waiver.subject
            until = waiver.until.description
            reason = waiver.reason
            commit = waiver.commit
            line = waiver.line
            self.state = state.rawValue
            self.suggestion = suggestion
        }
    }

    struct Fault: Hashable, Encodable {
        let text: String
        let problem: String
        let commit: String
        let line: Int

        init(_ fault: WaiverFault) {
            text = fault.text
            problem = fault.problem.rawValue
            commit = fault.commit
            line = fault.line
        }
    }

    struct Floor: Hashable, Encodable {
        let module: String
        let metric: String
        let floor: String
        let source: String
        let tally: CoverageTally?

        init(_ floor: RaisedFloor) {
            module = floor.module
            metric = floor.metric.rawValue
            self.floor = floor.floor.description
            source = floor.source.rawValue
            tally = floor.tally
        }
    }
}
