import Gate
import RunModel
import Wording

/// The base of a run, with the waivers and with what was not judged.
struct BaseBox: Sendable {
    let commit: String
    /// The stored run of that commit, where there is one.
    let run: Link?
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

    init?(_ review: BaseReview?, _ links: Links) {
        guard let review else { return nil }
        commit = "Compared with \(review.commit.words)."
        run = review.run.flatMap { run in links.find(.run(run)).map { Link("run \(run.short)", $0) } }
        let lines = review.lines
        list =
            lines.isEmpty
            ? nil
            : BaseList(
                items: lines.map { Item(sign: $0.sign, kind: $0.kind, words: $0.words.cut(to: Reason.longest)) })
    }
}
