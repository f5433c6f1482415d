import Gate
import RunModel
import Wording

/// The form that filters a list of runs; it leads to an address that can be bookmarked.
struct FilterForm: Sendable {
    /// A verdict to choose.
    struct Choice: Sendable {
        let value: String
        let words: String
        let isSelected: Bool
    }

    /// The order of the list, as the address has it.
    struct Order: Sendable {
        let key: String
        let direction: String
    }

    /// The branches to choose from.
    struct Branches: Sendable {
        let names: [String]
    }

    let action: String
    let project: String?
    /// The current order, which the form keeps; `nil` for the default.
    let order: Order?
    let branch: String
    let branches: Branches?
    let verdicts: [Choice]
    let author: String
    let since: String
    let until: String
    /// The list without a filter; `nil` if no filter is set.
    let clear: String?

    init(_ filter: RunFilter, _ order: ListOrder?, project: String?, branches: [String], links: Links) {
        action = links.href(.runs())
        self.project = project
        self.order = order.map { Order(key: $0.key.rawValue, direction: $0.direction) }
        branch = filter.branch ?? ""
        self.branches = branches.isEmpty ? nil : Branches(names: branches)
        verdicts =
            [Choice(value: "", words: "any", isSelected: filter.decision == nil)]
            + [Decision.passed, .failed, .undecided].map { decision in
                Choice(
                    value: decision.rawValue, words: "\(decision.sign) \(decision.word.lowercased())",
                    isSelected: filter.decision == decision)
            }
        author = filter.author ?? ""
        since = filter.since?.description ?? ""
        until = filter.until?.description ?? ""
        clear = filter.isEmpty ? nil : links.href(.runs(project: project, order: order))
    }
}
