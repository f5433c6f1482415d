public import Gate
import RunModel

/// What the gate lets pass for a time, as it stood in a run: waivers, the quarantine, test targets that are switched off.
public struct Exceptions: Sendable {
    /// A waiver in force.
    public struct Waived: Sendable {
        /// The waiver.
        public var waiver: Waiver
        /// What it lets pass in the run; none where it came with an earlier change, which is in the base by now.
        public var changes: [GateChange]
        /// The latest run that was judged for the commit that brings it; `nil` where none is stored.
        public var run: RunSummary?
    }

    /// A test target that is switched off.
    public struct DisabledTarget: Sendable {
        /// Its manifest name.
        public var name: String
        /// The waiver in force that names it; `nil` where there is none, as it was off at the base, too.
        public var waiver: Waiver?
    }

    /// The waivers in force, those that end first at the top.
    public var waivers: [Waived]
    /// Every entry of the quarantine, in the order of the policy.
    public var quarantine: [QuarantineStatus]
    /// The test targets that are switched off.
    public var disabledTargets: [DisabledTarget]

    /// Whether the gate lets nothing pass.
    public var isEmpty: Bool { waivers.isEmpty && quarantine.isEmpty && disabledTargets.isEmpty }

    /// Only what one owner answers for, or all, in the order that was requested. Waivers and test targets have no
    /// owner.
    public func listed(_ owner: String?, by order: ListOrder?) -> Exceptions {
        var listed = self
        if let owner {
            (listed.waivers, listed.disabledTargets) = ([], [])
            listed.quarantine.removeAll { Name($0.entry.owner) != Name(owner) }
        }
        listed.waivers = listed.waivers.sorted(by: order)
        listed.quarantine = listed.quarantine.sorted(by: order)
        listed.disabledTargets = listed.disabledTargets.sorted(by: order)
        return listed
    }

    /// Reads them from a verdict.
    ///
    /// - Parameter targets: The test targets that were switched off in its run, by manifest name.
    public init(_ verdict: Verdict, disabledTargets targets: [String]) {
        let statuses = verdict.base?.waivers ?? []
        let inForce = statuses.filter { $0.state == .used || $0.state == .standing }.map(\.waiver)
        waivers = inForce.sorted { ($0.until, $0.subject) < ($1.until, $1.subject) }.map { waiver in
            Waived(waiver: waiver, changes: (verdict.base?.waived ?? []).filter { $0.waiver == waiver })
        }
        quarantine = verdict.quarantine
        disabledTargets = targets.map { name in
            let change = verdict.base?.waived.first { change in
                change.code == .testTargetOff && Name(change.subject) == Name(name)
            }
            return DisabledTarget(
                name: name,
                waiver: change?.waiver ?? inForce.first { Name($0.subject) == Name(name) })
        }
    }
}
