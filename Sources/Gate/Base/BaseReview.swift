public import RunModel

public import struct Foundation.Date

/// Where a floor that was applied comes from.
public enum FloorSource: String, Sendable, Hashable, Codable, CaseIterable {
    /// The settings of the run.
    case head
    /// The settings of the base, which are stricter.
    case base
    /// What the base's stored run covered, less the tolerance.
    case ratchet
}

/// A floor that is higher than the settings of the run say.
public struct RaisedFloor: Sendable, Hashable, Codable {
    /// The module's manifest name.
    public var module: String
    /// What is counted.
    public var metric: CoverageMetric
    /// The floor that was applied.
    public var floor: Percentage
    /// Where it comes from; never `head`.
    public var source: FloorSource
    /// What the base's run covered, under the ratchet.
    public var tally: CoverageTally?
}

/// The result of comparing a run with its base: part of the verdict.
public struct BaseReview: Sendable, Hashable, Codable {
    /// The commit.
    public var commit: BaseCommit
    /// The base's stored run; `nil` when there is none.
    public var run: RunID?
    /// Everything that weakens the gate; what has a waiver passes.
    public var changes: [GateChange]
    /// Every waiver that is in force or in the commits since the base.
    public var waivers: [WaiverStatus]
    /// Lines that were meant as a waiver and are none.
    public var faults: [WaiverFault]
    /// The floors that come from the base.
    public var floors: [RaisedFloor]
    /// When the run was judged again, against the base of that moment; `nil` for a verdict of the day of the run.
    public var judgedAgainAt: Date?
    /// The same for the other bases, where there are several; `nil` where there is one.
    public var others: [BaseReview]?

    package init(
        commit: BaseCommit,
        run: RunID? = nil,
        changes: [GateChange] = [],
        waivers: [WaiverStatus] = [],
        faults: [WaiverFault] = [],
        floors: [RaisedFloor] = [],
        others: [BaseReview]? = nil
    ) {
        self.commit = commit
        self.run = run
        self.changes = changes
        self.waivers = waivers
        self.faults = faults
        self.floors = floors
        self.others = others
    }

    /// All commits that the run was compared with, this one first.
    public var commits: [BaseCommit] { [commit] + (others ?? []).flatMap(\.commits) }

    /// The rules that compare with the base's stored run and could not be judged, because there is none. That the ratchet
    /// could not be judged is a gap.
    public var notJudged: [GateChangeCode] { run == nil ? GateChangeCode.needingStoredRun : [] }
    /// The changes that block.
    public var blocking: [GateChange] { changes.filter { $0.waiver == nil } }
    /// The changes that pass by a waiver.
    public var waived: [GateChange] { changes.filter { $0.waiver != nil } }
}
