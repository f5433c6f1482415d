import Gate
import RunModel
import Wording

/// What is said of tests beside how they ended: flaky tests, and the quarantine.
struct RemarkLists: Sendable {
    let lists: [RemarkList]

    /// `nil` when nothing is said.
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
    /// So many are listed; the rest is counted.
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

/// One test and what is said of it.
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
