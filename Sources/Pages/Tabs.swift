import RunModel

/// The pages of one project, side by side.
struct Tabs: Sendable {
    /// One of them.
    struct Tab: Sendable {
        let name: String
        let href: String
        let isSelected: Bool
    }

    let label: String
    let tabs: [Tab]

    /// The pages about all projects, one of them being shown.
    init(selected: Route = .home(), links: Links) {
        let pages: [(String, Route)] = [
            ("Projects", .home()), ("All runs", .runs()), ("Machines", .machines()), ("Wallboard", .wall),
        ]
        label = "Pages of all projects"
        tabs = pages.map { Tab(name: $0, href: links.href($1), isSelected: $1 == selected) }
    }

    /// The pages of a project, one of them being shown.
    init(of project: String, selected: Route, links: Links) {
        let pages: [(String, Route)] =
            [("Overview", .project(project)), ("Runs", .runs(project: project))]
            + ProjectListKind.allCases.map { ($0.title, .list($0, project: project)) }
        label = "Pages of the project"
        tabs = pages.map { name, route in
            Tab(
                name: name, href: links.href(route), isSelected: Name(route.href) == Name(selected.href))
        }
    }
}
