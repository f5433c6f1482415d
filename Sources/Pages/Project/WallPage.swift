public import Foundation
import Gate
public import RunModel
public import Web
import Wording

/// Every project as one large tile, for a screen on a wall; failing projects come first.
public struct WallPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.wallPage
    /// The seconds after which the page reloads.
    public static let refresh = 30
    /// Title and way back.
    public let frame: PageFrame

    /// One project.
    struct Board: Sendable {
        let style: String
        let sign: String
        let name: BreakableText
        let href: String
        let words: String
        let place: String
        let moment: Moment?
        let figures: String
        /// Its run in progress; `nil` if there is none.
        let running: String?
    }

    let boards: [Board]
    let empty: EmptyList?

    /// Makes the page.
    public init(_ projects: [ProjectState], running: [LiveEntry], now: Date, links: Links = .dashboard) {
        frame = PageFrame(title: "Wallboard", here: "wallboard", links: links)
        let order: [Decision?] = [.failed, .undecided, nil, .passed]
        boards = order.flatMap { decision in
            projects.filter { $0.latest?.decision == decision }.map { project in
                let run = running.first { Name($0.run.project) == Name(project.name) }
                return Board(project, running: run, now: now, links: links)
            }
        }
        empty =
            projects.isEmpty
            ? EmptyList(
                "No run is stored yet.", "Run the gate in the folder of a Swift package:", command: "kanmon run")
            : nil
    }
}

extension WallPage.Board {
    init(_ project: ProjectState, running: LiveEntry?, now: Date, links: Links) {
        name = BreakableText(project.name)
        self.running = running.map { "\($0.headline). \($0.prospect(at: now))" }
        guard let latest = project.latest else {
            let attempt = project.attempt
            (style, sign) = ("quiet", attempt?.decision.sign ?? "–")
            (words, place) = (attempt?.verdictWords ?? "No run", attempt?.doubt ?? "")
            (href, figures) = (links.project(project.name), "")
            moment = attempt.map { Moment($0.startedAt, now: now) }
            return
        }
        style = latest.decision.rawValue
        sign = latest.decision.sign
        href = links.href(latest.route)
        words = latest.verdictWords
        let commit = latest.revision?.commit.map { String($0.prefix(8)) }
        place = [project.branch, commit].compactMap { $0 }.joined(separator: " at ")
        moment = Moment(latest.startedAt, now: now)
        let tests = Figures.counted(latest.outcomes.total, "test")
        figures = [tests, latest.lines.map { "\(Figures.percent($0)) of the lines" }].compactMap { $0 }
            .joined(separator: " · ")
    }
}
