import Access
import HTTPTypes
import Pages
import RunModel
import Web

/// An address of the dashboard with everything that the server has to know of it: whose right it needs, what it answers, how that may
/// be kept, and how its data are described.
///
/// A page that does not say whose right it needs does not compile, and nothing that has a default here opens a page to anybody or has
/// something old taken for it.
protocol ServedPage: Sendable {
    /// Whose right to read it needs.
    var rights: PageRights { get }
    /// What a browser is answered.
    func page(_ server: DashboardResponder, _ visit: Visit) async throws -> Answer
    /// The same as data, by the address with `.json`; a page without data is not found there.
    func data(_ server: DashboardResponder) async throws -> Answer
    /// How the OpenAPI document describes its data; empty where it has none.
    static var description: [DataDescription] { get }

    /// The key in the address that opens it without a sign-in; `nil` where there is none.
    var key: AddressKey? { get }
    /// Whether it depends on nothing but the program, so that it changes only with that.
    var isFixed: Bool { get }
    /// Whether it is the same for everybody who may see it, so that a cache on the way may keep it.
    var isShared: Bool { get }
    /// Whether the answer is kept for a moment for those who need no credential, and by what it is found again.
    var caching: CachePolicy { get }
    /// Whether the answer, or its data, has whole runs in it, or judges one: those are made one at a time.
    func isReport(asData: Bool) -> Bool
    /// The runs whose files it reads, besides their manifests: they are fetched first where they are elsewhere.
    func evidence(asData: Bool) -> [RunID]
    /// Whether it stays as it is until the store changes: it depends neither on runs in progress, nor on git, nor on who called. Only such a
    /// page may be told unchanged.
    func isLasting(_ server: DashboardResponder) -> Bool
}

extension ServedPage {
    func data(_ server: DashboardResponder) async throws -> Answer { throw Refusal.notFound }
    static var description: [DataDescription] { [] }
    var key: AddressKey? { nil }
    var isFixed: Bool { false }
    var isShared: Bool { false }
    var caching: CachePolicy { .never }
    func isReport(asData: Bool) -> Bool { false }
    func evidence(asData: Bool) -> [RunID] { [] }
    func isLasting(_ server: DashboardResponder) -> Bool { false }
}

/// A page that shows nothing but what is in the store, in the sources that runs have kept, or in the program itself.
protocol LastingPage: ServedPage {}

extension LastingPage {
    func isLasting(_ server: DashboardResponder) -> Bool { true }
}

/// A request, and who asks.
struct Visit: Sendable {
    let request: HTTPRequest
    let context: DashboardContext
}

/// Whose right to read a page needs.
enum PageRights: Sendable, Hashable {
    /// Nobody's: it is the same for everybody, signed in or not.
    case open
    /// Any reader's: it shows each reader what that one may see.
    case anyReader
    /// A reader's of a project.
    case project(String)
    /// A reader's of the projects of these runs.
    case runs([RunID])
    /// A reader's of a project, and of those of these runs.
    case projectAndRuns(String, [RunID])

    /// The project that the page names.
    var project: String? {
        switch self {
        case .project(let name), .projectAndRuns(let name, _): name
        case .open, .anyReader, .runs: nil
        }
    }

    /// The runs that the page names.
    var runs: [RunID] {
        switch self {
        case .runs(let runs), .projectAndRuns(_, let runs): runs
        case .open, .anyReader, .project: []
        }
    }
}

/// By what an answer is found again that is kept for a moment: all that it depends on besides the store.
enum CachePolicy: Sendable {
    /// It is not kept.
    case never
    /// By its address, with all values in it.
    case byAddress
    /// By its address and that of the dashboard, because the page names the latter.
    case byAddressAndRoot
}

/// A key in an address that opens it.
struct AddressKey: Sendable {
    let key: String
    let purpose: AddressKeys.Purpose
    let project: String
}

extension Route {
    /// What the server answers there. There is no default: a new address has to say it.
    var served: any ServedPage {
        switch self {
        case .home(let kept, let order): HomePage(kept: kept, order: order)
        case .wall: Wall()
        case .machines(let kept, let order): MachinesPage(kept: kept, order: order)
        case .project(let name): ProjectPage(name: name)
        case .branch(let name, let project): BranchPage(name: name, project: project)
        case .list(let list, let project, let tag, let owner, let kept, let order):
            list.page.init(
                request: ListRequest(project: project, tag: tag, owner: owner, kept: kept, order: order))
        case .test(let id, let project): TestHistoryPage(id: id, project: project)
        case .compare(let before, let after): ComparisonPage(before: before, after: after)
        case .search(let text): SearchPage(text: text)
        case .latest(let project, let branch): LatestRedirect(project: project, branch: branch)
        case .commit(let commit): CommitRedirect(commit: commit)
        case .permalink(let project, let link): PermalinkRedirect(project: project, link: link)
        case .badge(let project, let key): BadgePicture(project: project, keyText: key)
        case .feed(let project, let owner, let key): FeedDocument(project: project, owner: owner, keyText: key)
        case .runs(let project, let before, let filter, let order):
            RunListPage(project: project, before: before, filter: filter, order: order)
        case .run(let id, let commit): RunReport(id: id, commit: commit)
        case .live(let id): LiveRunPage(id: id)
        case .events(let id): LiveEvents(id: id)
        case .tests(let id, let target, let tag, let order):
            TargetPage(id: id, target: target, tag: tag, order: order)
        case .source(let id, let path): SourceFilePage(id: id, path: path)
        case .who(let id, let path, let line): LineTestsPage(id: id, path: path, line: line)
        case .coverage(let id, let module, let order): CoveragePage(id: id, module: module, order: order)
        case .evidence(let id, file: nil): EvidencePage(id: id)
        case .evidence(let id, let file?): EvidenceDownload(id: id, file: file)
        case .stylesheet: Asset(file: .stylesheet, contentType: "text/css; charset=utf-8")
        case .icon: Asset(file: .icon, contentType: "image/svg+xml")
        case .script: Asset(file: .script, contentType: "text/javascript; charset=utf-8")
        case .policy(let id, let line): PolicyPage(id: id, line: line)
        case .description: DescriptionDocument()
        case .metrics: MetricsDocument()
        case .health: HealthAnswer()
        }
    }
}

/// All pages, by samples of their addresses.
enum ServedPages {
    /// What an address names, whatever its values are.
    ///
    /// Nothing of a page is listed anywhere but by these: an address without a kind does not compile, nor does a kind without samples.
    enum Kind: Sendable, Hashable, CaseIterable {
        case home, wall, machines, project, branch, list, test, compare, search, latest, commit, permalink, badge, feed
        case runs, run, live, events, tests, source, who, coverage, evidence, policy
        case stylesheet, icon, script, description, metrics, health

        /// Addresses of this kind, one for each page that the server has there.
        ///
        /// - Parameter run: The run that they name.
        func samples(of run: RunID) -> [Route] {
            switch self {
            case .home: [.home()]
            case .wall: [.wall]
            case .machines: [.machines()]
            case .project: [.project("p")]
            case .branch: [.branch("b", project: "p")]
            case .list: ProjectList.allCases.map { .list($0, project: "p") }
            case .test: [.test(TestID(module: "m", suite: "", name: "n"), project: "p")]
            case .compare: [.compare(run, run)]
            case .search: [.search("x")]
            case .latest: [.latest(project: "p")]
            case .commit: [.commit("9f3c")]
            case .permalink: [.permalink(project: "p", .latest)]
            case .badge: [.badge(project: "p")]
            case .feed: [.feed(project: "p")]
            case .runs: [.runs()]
            case .run: [.run(run)]
            case .live: [.live(run)]
            case .events: [.events(run)]
            case .tests: [.tests(run, target: "t")]
            case .source: [.source(run, path: "p")]
            case .who: [.who(run, path: "p", line: 1)]
            case .coverage: [.coverage(run)]
            case .evidence: [.evidence(run), .evidence(run, file: "f")]
            case .policy: [.policy(run)]
            case .stylesheet: [.stylesheet]
            case .icon: [.icon]
            case .script: [.script]
            case .description: [.description]
            case .metrics: [.metrics]
            case .health: [.health]
            }
        }
    }

    /// An address of every page that the server has.
    ///
    /// - Parameter run: The run that they name.
    static func samples(of run: RunID) -> [Route] { Kind.allCases.flatMap { $0.samples(of: run) } }

    /// How the data of all pages that have some are described.
    static let descriptions: [DataDescription] =
        samples(of: RunID(milliseconds: 0, random: (0, 0))).flatMap { type(of: $0.served).description }
}

extension Route {
    /// What it names.
    var kind: ServedPages.Kind {
        switch self {
        case .home: .home
        case .wall: .wall
        case .machines: .machines
        case .project: .project
        case .branch: .branch
        case .list: .list
        case .test: .test
        case .compare: .compare
        case .search: .search
        case .latest: .latest
        case .commit: .commit
        case .permalink: .permalink
        case .badge: .badge
        case .feed: .feed
        case .runs: .runs
        case .run: .run
        case .live: .live
        case .events: .events
        case .tests: .tests
        case .source: .source
        case .who: .who
        case .coverage: .coverage
        case .evidence: .evidence
        case .stylesheet: .stylesheet
        case .icon: .icon
        case .script: .script
        case .policy: .policy
        case .description: .description
        case .metrics: .metrics
        case .health: .health
        }
    }
}
