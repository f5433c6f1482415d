import Pages
import RunModel
import Web

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
        case .tests(let id, let target, let tag, let order, let from):
            TargetPage(id: id, target: target, tag: tag, order: order, from: from)
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
        case .readiness: ReadinessAnswer()
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
        case stylesheet, icon, script, description, metrics, health, readiness

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
            case .list: ProjectListKind.allCases.map { .list($0, project: "p") }
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
            case .readiness: [.readiness]
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
        case .readiness: .readiness
        }
    }
}
