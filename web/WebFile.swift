/// A file of the dashboard's face: a template, the style sheet, the script or the icon.
///
/// The list is closed, so that nothing outside of it can ever be asked for, whatever a request says.
public enum WebFile: String, Sendable, Hashable, CaseIterable {
    case attachment = "templates/attachment.mustache"
    case bar = "templates/bar.mustache"
    case base = "templates/base.mustache"
    case change = "templates/change.mustache"
    case crumbs = "templates/crumbs.mustache"
    case details = "templates/details.mustache"
    case diagnostic = "templates/diagnostic.mustache"
    case errorPage = "templates/error.mustache"
    case excerpt = "templates/excerpt.mustache"
    case exclusions = "templates/exclusions.mustache"
    case failure = "templates/failure.mustache"
    case file = "templates/file.mustache"
    case files = "templates/files.mustache"
    case filter = "templates/filter.mustache"
    case filterForm = "templates/filter-form.mustache"
    case functions = "templates/functions.mustache"
    case head = "templates/head.mustache"
    case issue = "templates/issue.mustache"
    case layout = "templates/layout.mustache"
    case link = "templates/link.mustache"
    case coverageMap = "templates/map.mustache"
    case listForm = "templates/list-form.mustache"
    case livePage = "templates/live.mustache"
    case mark = "templates/mark.mustache"
    case module = "templates/module.mustache"
    case modules = "templates/modules.mustache"
    case moment = "templates/moment.mustache"
    case reason = "templates/reason.mustache"
    case runPage = "templates/run.mustache"
    case runRow = "templates/run-row.mustache"
    case runVerdict = "templates/run-verdict.mustache"
    case runsPage = "templates/runs.mustache"
    case sourcePage = "templates/source.mustache"
    case sourceLine = "templates/source-line.mustache"
    case cell = "templates/cell.mustache"
    case chart = "templates/chart.mustache"
    case emptyList = "templates/empty.mustache"
    case runTable = "templates/run-table.mustache"
    case signInPage = "templates/sign-in.mustache"
    case searchBox = "templates/search.mustache"
    case section = "templates/section.mustache"
    case sheetPage = "templates/sheet.mustache"
    case table = "templates/table.mustache"
    case targets = "templates/targets.mustache"
    case testRow = "templates/test-row.mustache"
    case testsPage = "templates/tests.mustache"
    case tile = "templates/tile.mustache"
    case verdict = "templates/verdict.mustache"
    case wallPage = "templates/wall.mustache"
    case words = "templates/words.mustache"
    case stylesheet = "styles/kanmon.css"
    case icon = "icons/kanmon.svg"
    case script = "scripts/kanmon.js"

    /// The name under which other templates include it; `nil` for what is no template.
    public var templateName: String? {
        guard rawValue.hasPrefix("templates/"), rawValue.hasSuffix(".mustache") else { return nil }
        return String(rawValue.dropFirst("templates/".count).dropLast(".mustache".count))
    }

    /// The bytes as they were when the program was built.
    public var embedded: [UInt8] {
        switch self {
        case .attachment: PackageResources.attachment_mustache
        case .bar: PackageResources.bar_mustache
        case .base: PackageResources.base_mustache
        case .change: PackageResources.change_mustache
        case .crumbs: PackageResources.crumbs_mustache
        case .details: PackageResources.details_mustache
        case .diagnostic: PackageResources.diagnostic_mustache
        case .errorPage: PackageResources.error_mustache
        case .excerpt: PackageResources.excerpt_mustache
        case .exclusions: PackageResources.exclusions_mustache
        case .failure: PackageResources.failure_mustache
        case .file: PackageResources.file_mustache
        case .files: PackageResources.files_mustache
        case .filter: PackageResources.filter_mustache
        case .filterForm: PackageResources.filter_form_mustache
        case .functions: PackageResources.functions_mustache
        case .head: PackageResources.head_mustache
        case .issue: PackageResources.issue_mustache
        case .layout: PackageResources.layout_mustache
        case .link: PackageResources.link_mustache
        case .coverageMap: PackageResources.map_mustache
        case .listForm: PackageResources.list_form_mustache
        case .livePage: PackageResources.live_mustache
        case .mark: PackageResources.mark_mustache
        case .module: PackageResources.module_mustache
        case .modules: PackageResources.modules_mustache
        case .moment: PackageResources.moment_mustache
        case .reason: PackageResources.reason_mustache
        case .runPage: PackageResources.run_mustache
        case .runRow: PackageResources.run_row_mustache
        case .runVerdict: PackageResources.run_verdict_mustache
        case .runsPage: PackageResources.runs_mustache
        case .sourcePage: PackageResources.source_mustache
        case .sourceLine: PackageResources.source_line_mustache
        case .cell: PackageResources.cell_mustache
        case .chart: PackageResources.chart_mustache
        case .emptyList: PackageResources.empty_mustache
        case .runTable: PackageResources.run_table_mustache
        case .signInPage: PackageResources.sign_in_mustache
        case .searchBox: PackageResources.search_mustache
        case .section: PackageResources.section_mustache
        case .sheetPage: PackageResources.sheet_mustache
        case .table: PackageResources.table_mustache
        case .targets: PackageResources.targets_mustache
        case .testRow: PackageResources.test_row_mustache
        case .testsPage: PackageResources.tests_mustache
        case .tile: PackageResources.tile_mustache
        case .verdict: PackageResources.verdict_mustache
        case .wallPage: PackageResources.wall_mustache
        case .words: PackageResources.words_mustache
        case .stylesheet: PackageResources.kanmon_css
        case .icon: PackageResources.kanmon_svg
        case .script: PackageResources.kanmon_js
        }
    }
}
