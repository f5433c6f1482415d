import Gate
import RunModel
import Wording

/// Remarks on tests: flaky tests, new and changed ones, and the quarantine.
struct RemarkLists: Sendable {
    let lists: [RemarkList]

    /// `nil` if there are none.
    init?(_ run: TestRun, _ verdict: Verdict, _ owners: RunOwners, links: RunLinks) {
        lists = [
            RemarkList(title: "Flaky tests", TestRemark.flaky(run, owners), links: links),
            RemarkList(title: "New and changed tests", TestRemark.probation(run, verdict, owners), links: links),
            RemarkList(title: "Quarantine", TestRemark.quarantine(verdict), links: links),
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

    init(title: String, _ remarks: [TestRemark], links: RunLinks) {
        self.title = title
        items = remarks.prefix(Self.most).map { RemarkItem($0, links: links) }
        more = remarks.count > Self.most ? "and \(Figures.grouped(remarks.count - Self.most)) more" : nil
    }
}

/// One test and the remark.
struct RemarkItem: Sendable {
    let sign: String
    /// The test, as a link to its history where there is one.
    let link: Link?
    let plainName: BreakableText?
    let words: String

    init(_ remark: TestRemark, links: RunLinks) {
        sign = remark.sign
        link = remark.test.flatMap { links.history($0) }.map { Link(remark.subject, $0) }
        plainName = link == nil ? BreakableText(remark.subject) : nil
        words = remark.words.cut(to: 1000)
    }
}
