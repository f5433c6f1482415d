import Gate
import RunModel
import Wording

/// What a run is compared with, and what lowers the bar with a waiver.
struct BaseBox: Sendable {
    let commit: String
    let list: BaseList?

    /// The lines beside the commit.
    struct BaseList: Sendable {
        let items: [Item]
    }

    /// One line.
    struct Item: Sendable {
        let sign: String
        let kind: String
        let words: String
    }

    init?(_ review: BaseReview?) {
        guard let review else { return nil }
        commit = "Held against \(review.commit.words)" + (review.run.map { ", run \($0)" } ?? "") + "."
        let lines = review.lines
        list =
            lines.isEmpty
            ? nil
            : BaseList(
                items: lines.map { Item(sign: $0.sign, kind: $0.kind, words: $0.words.cut(to: Reason.longest)) })
    }
}
