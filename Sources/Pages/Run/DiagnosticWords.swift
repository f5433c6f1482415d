import RunModel
import Wording

/// A message of the compiler, with the lines around its place.
struct DiagnosticWords: Sendable {
    let severity: String
    let style: String
    let message: String
    let place: PlaceLink?
    let excerpt: Excerpt?

    init(_ diagnostic: BuildDiagnostic, links: RunLinks, sources: SourceTexts) {
        severity = diagnostic.severity.rawValue
        style = diagnostic.severity == .error ? "failed" : "undecided"
        message = diagnostic.message.cut(to: 4000)
        place = PlaceLink(diagnostic.location, links: links)
        excerpt = diagnostic.location.flatMap { Excerpt($0, in: sources[$0.path], links: links) }
    }
}

/// The errors of a build that failed.
struct BuildErrors: Sendable {
    /// How many are shown.
    static let most = 20

    let items: [DiagnosticWords]
    let more: String?

    /// `nil` for a build that did not fail: its warnings do not block.
    init?(_ run: TestRun, links: RunLinks, sources: SourceTexts) {
        guard run.buildFailed else { return nil }
        let errors = Self.all(run)
        items = errors.prefix(Self.most).map { DiagnosticWords($0, links: links, sources: sources) }
        more = errors.count > Self.most ? "and \(Figures.counted(errors.count - Self.most, "more error"))" : nil
    }

    /// The errors, in the order of the compiler.
    static func all(_ run: TestRun) -> [BuildDiagnostic] {
        run.buildFailed ? run.diagnostics.filter { $0.severity == .error } : []
    }
}
