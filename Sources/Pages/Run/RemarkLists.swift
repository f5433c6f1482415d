import Gate
import RunModel
import Wording

/// Remarks on tests: flaky tests, and the quarantine.
struct RemarkLists: Sendable {
    let lists: [RemarkList]

    /// `nil` if there are none.
    init?(_ run: TestRun, _ verdict: Verdict) {
        lists = [
            RemarkList(title: "Flaky tests", TestRemark.flaky(run)),
            RemarkList(title: "Quarantine", TestRemark.quarantine(verdict)),
        ].filter { !$0.items.isEmpty }
        if lists.isEmpty { return nil }
    }
}

/// One list with its title.
struct RemarkList: Sendable {
    /// How many are listed; the rest is counted.
    static let most = 200

    let title: String
    let items: [RemarkItem]
    let more: String?

    init(title: String, _ remarks: [TestRemark]) {
        self.title = title
        items = remarks.prefix(Self.most).map { RemarkItem($0) }
        more = remarks.count > Self.most ? "and \(Figures.grouped(remarks.count - Self.most)) more" : nil
    }
}

/// One test and the remark.
struct RemarkItem: Sendable {
    let sign: String
    let name: BreakableText
    let words: String

    init(_ remark: TestRemark) {
        sign = remark.sign
        name = BreakableText(remark.subject)
        words = remark.words.cut(to: 1000)
    }
}
