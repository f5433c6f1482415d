import Gate
import RunModel

/// Writes the links of a page: as addresses of the dashboard, or as relative file names.
public struct Links: Sendable {
    private let write: @Sendable (Route) -> String?
    /// The prefix of every address of the dashboard.
    private let path: String
    /// The same, for addresses that no route is behind.
    var prefix: String { path }

    /// Links that `write` makes; it returns `nil` for a page that does not exist.
    init(_ write: @escaping @Sendable (Route) -> String?) {
        self.write = write
        path = ""
    }

    /// Addresses of the dashboard, which has every page.
    public static let dashboard = Links(under: "")

    /// Addresses of a dashboard under a path, such as `/kanmon`, which a proxy removes.
    public init(under path: String) {
        write = { path + $0.href }
        self.path = path
    }

    /// The link to a page, or to the data behind it.
    public func href(_ address: Address) -> String { address.isData ? path + address.href : href(address.route) }

    /// The link to a page; `nil` when there is none.
    func find(_ route: Route) -> String? { write(route) }

    /// The link to a page; to the first page if it does not exist.
    public func href(_ route: Route) -> String { write(route) ?? write(.home()) ?? "" }

    /// The page of a project; in a static report its list of runs.
    func project(_ name: String) -> String { write(.project(name)) ?? href(.runs(project: name)) }
}

/// The links of pages about one run.
struct RunLinks: Sendable {
    let run: RunID
    let project: String
    let links: Links

    init(_ run: RunID, project: String, _ links: Links) { (self.run, self.project, self.links) = (run, project, links) }

    /// The name of the run.
    var words: String { "run \(run.short)" }

    /// The history of a test; `nil` in a static report.
    func history(_ test: TestID) -> String? { links.find(.test(test, project: project)) }

    /// The page of the run itself, or a place in it.
    func page(_ fragment: String = "") -> String { links.href(.run(run)) + fragment }

    /// The page of a source file.
    func source(_ path: String) -> String { links.href(.source(run, path: path)) }

    /// A line of a source file.
    func line(_ line: Int, of path: String) -> String { "\(source(path))#L\(line)" }

    /// The tests that execute a line of a source file; `nil` in a static report.
    func who(_ line: Int, of path: String) -> String? { links.find(.who(run, path: path, line: line)) }

    /// The coverage of a module; `nil` if it has no page.
    func module(_ name: String) -> String? { links.find(.coverage(run, module: name)) }

    /// The download of a file of the run directory; `nil` in a static report, which has none of them.
    func evidence(_ file: String) -> String? { links.find(.evidence(run, file: file)) }

    func tests(_ target: String) -> String { links.href(.tests(run, target: target)) }

    /// The tests of a target with one tag; `nil` in a static report.
    func tests(_ target: String, tag: String, order: ListOrder?) -> String? {
        links.find(.tests(run, target: target, tag: tag, order: order))
    }
}
