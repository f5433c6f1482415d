public import RunModel

extension TrialKind {
    /// What would have become of the run, and what did.
    public var words: String {
        switch self {
        case .missed: "green, and the new failures missed"
        case .red: "red by a new failure, as it was"
        // Tests that were unsteady or failed before may have failed in it.
        case .green: "as it was, without a new failure"
        }
    }
}

extension SelectionLedger {
    /// What a selection would have saved and missed, in two sentences.
    public var words: String {
        guard !entries.isEmpty else { return "Nothing is known of what a selection would save and miss." }
        let (all, deselected) = time
        let share = all > .zero ? " and \(Int((deselected / all * 100).rounded(.down))) % of their time" : ""
        let missed =
            red == 0
            ? "none was red for a new reason"
            : "\(missed) of \(red) that were red for a new reason would have been green"
        return
            "In \(Figures.counted(entries.count, "run")), \(Figures.percent(tests)) of the tests\(share) would have been left out; "
            + "\(missed)."
    }
}
