import RunModel
import Wording

/// How many tests execute a line.
struct TestCount: Sendable, TemplateValue {
    /// The page with their names; `nil` for a line that no test executes.
    let link: LabelledLink?
    let figure: String

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "link": link
        case "figure": figure
        default: nil
        }
    }
}

/// The numbers of tests by line of one file.
struct LineTests: Sendable {
    private let counts: [Int32: Int]
    private let path: String
    private let links: RunLinks

    /// `nil` where nothing was recorded.
    init?(_ counts: [Int32: Int], of path: String, _ links: RunLinks) {
        guard !counts.isEmpty else { return nil }
        self.counts = counts
        self.path = path
        self.links = links
    }

    subscript(line: Int) -> TestCount {
        guard let count = counts[Int32(clamping: line)] else { return TestCount(link: nil, figure: "") }
        let words = count == 0 ? "no test alone executes it" : "\(Figures.counted(count, "test")) execute it"
        let link = links.who(line, of: path).map { LabelledLink(href: $0, words: words) }
        return TestCount(link: link, figure: Figures.grouped(count))
    }
}
