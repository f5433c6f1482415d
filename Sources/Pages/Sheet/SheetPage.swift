public import Web

/// A page that is made of tables and small charts: of a project, of a test, of a kind of test, of a search.
public struct SheetPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.sheetPage
    /// Title and way back.
    public let frame: PageFrame

    /// How what the page is about stands.
    struct Sign: Sendable {
        let style: String
        let text: String
    }

    let sign: Sign?
    let heading: BreakableText
    let summary: String
    /// What the summary ends with: the run that a page is about.
    let subject: Link?
    /// The tags of the test that a page is about.
    let tags: [TagMark]
    let tabs: Tabs?
    /// The form that keeps a list to some of its entries.
    let filter: ListForm?
    /// The change that a branch is.
    let opening: Opening?
    /// What fails, before everything that explains it.
    let failing: [SheetSection]
    let tiles: TileRow?
    let charts: ChartRow?
    let map: CoverageTreemap?
    let question: Question?
    let sections: [SheetSection]
    /// How the lines that changed between two runs are covered.
    let change: ChangeSection?

    /// How the lines of a change are covered, before all else.
    struct Opening: Sendable {
        let change: ChangeSection
    }

    init(
        frame: PageFrame,
        sign: Sign? = nil,
        heading: String,
        summary: String,
        subject: Link? = nil,
        tags: [TagMark] = [],
        tabs: Tabs? = nil,
        filter: ListForm? = nil,
        opening: ChangeSection? = nil,
        failing: [SheetSection] = [],
        tiles: [Tile] = [],
        charts: [Chart] = [],
        map: CoverageTreemap? = nil,
        question: Question? = nil,
        sections: [SheetSection],
        change: ChangeSection? = nil
    ) {
        self.frame = frame
        self.sign = sign
        self.heading = BreakableText(heading)
        self.summary = summary
        self.subject = subject
        self.tags = tags
        self.tabs = tabs
        self.filter = filter
        self.opening = opening.map { Opening(change: $0) }
        self.failing = failing
        self.tiles = tiles.isEmpty ? nil : TileRow(tiles: tiles)
        self.charts = charts.isEmpty ? nil : ChartRow(charts: charts)
        self.map = map
        self.question = question
        self.sections = sections
        self.change = change
    }
}

/// Figures side by side.
struct TileRow: Sendable {
    let tiles: [Tile]
}

/// Charts side by side.
struct ChartRow: Sendable {
    let charts: [Chart]
}

/// A part of a page: a table, or why there is none.
struct SheetSection: Sendable {
    let title: BreakableText?
    let note: String?
    let table: CellTable?
    let runs: RunTable?
    let empty: EmptyList?
    /// Links below it.
    let more: [Link]

    /// A table with a heading; without a row, why that is and what to do.
    init(_ title: String?, note: String? = nil, _ table: CellTable, empty: EmptyList? = nil, more: [Link?] = []) {
        self.title = title.map { BreakableText($0) }
        self.note = note
        self.table = table.rows.isEmpty ? nil : table
        runs = nil
        self.empty = table.rows.isEmpty ? empty : nil
        self.more = more.compactMap(\.self)
    }

    /// Runs with a heading.
    init(
        _ title: String?, note: String? = nil, runs: [RunListRow], empty: EmptyList? = nil, more: [Link?] = []
    ) {
        self.title = title.map { BreakableText($0) }
        self.note = note
        table = nil
        self.runs = runs.isEmpty ? nil : RunTable(rows: runs)
        self.empty = runs.isEmpty ? empty : nil
        self.more = more.compactMap(\.self)
    }
}
