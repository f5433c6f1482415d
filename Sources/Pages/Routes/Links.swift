import RunModel

/// How the links of a page are written: as addresses of the dashboard, or as names of files beside it.
public struct Links: Sendable {
    private let write: @Sendable (Route) -> String?
    /// What stands in front of every address of the dashboard.
    private let path: String

    /// Links written in the form given; `nil` stands for a page that is not there.
    init(_ write: @escaping @Sendable (Route) -> String?) {
        self.write = write
        path = ""
    }

    /// Addresses of the dashboard, which has every page.
    public static let dashboard = Links(under: "")

    /// Addresses of a dashboard under a path, such as `/kanmon`, that a proxy in front of it takes away.
    public init(under path: String) {
        write = { path + $0.href }
        self.path = path
    }

    /// The link to a page, or to the data behind it.
    public func href(_ address: Address) -> String { address.isData ? path + address.href : href(address.route) }

    /// The link to a page; `nil` when there is none.
    func find(_ route: Route) -> String? { write(route) }

    /// The link to a page; to the first of all pages where there is none.
    public func href(_ route: Route) -> String { write(route) ?? write(.home) ?? "" }

    /// The page of a project; its list of runs where there is no server.
    func project(_ name: String) -> String { write(.project(name)) ?? href(.runs(project: name)) }
}

/// The links of pages about one run.
struct RunLinks: Sendable {
    let run: RunID
    let project: String
    let links: Links

    init(_ run: TestRun, _ links: Links) { self.init(run.id, project: run.project, links) }

    init(_ run: RunID, project: String, _ links: Links) {
        self.run = run
        self.project = project
        self.links = links
    }

    /// What the run is called.
    var words: String { "run \(run.short)" }

    /// A test over its runs; `nil` where there is only this one.
    func history(_ test: TestID) -> String? { links.find(.test(test, project: project)) }

    /// The page of the run itself, or a place in it.
    func page(_ fragment: String = "") -> String { links.href(.run(run)) + fragment }

    /// The page of a source file.
    func source(_ path: String) -> String { links.href(.source(run, path: path)) }

    /// A line of a source file.
    func line(_ line: Int, of path: String) -> String { "\(source(path))#L\(line)" }

    /// The coverage of a module; `nil` where there is no page of it.
    func module(_ name: String) -> String? { links.find(.coverage(run, module: name)) }

    /// The tests of a target.
    func tests(_ target: String) -> String { links.href(.tests(run, target: target)) }
}
